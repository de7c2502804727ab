from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phocinae_cli.core import redact as redact_module
from phocinae_cli.core import secrets
from phocinae_cli.core.redact import printable, redact

HIDDEN = [
    # options and variables that are named like a secret
    ("mysqldump --password=hunter2 db", "mysqldump --password=*** db"),
    ("cmd --password hunter2 --verbose", "cmd --password *** --verbose"),
    ("cmd --password 'hunter 2' x", "cmd --password *** x"),
    ("cmd --token \\\n  hunter2 x", "cmd --token \\\n  *** x"),
    ("cmd --api-key=abc --apikey abc --access-key abc", "cmd --api-key=*** --apikey *** --access-key ***"),
    ("cmd --client-secret abc --clientSecret=abc", "cmd --client-secret *** --clientSecret=***"),
    ("java -Djavax.net.ssl.keyStorePassword=abc -jar x.jar", "java -Djavax.net.ssl.keyStorePassword=*** -jar x.jar"),
    ("gpg --batch --passphrase abc -d f", "gpg --batch --passphrase *** -d f"),
    ("PGPASSWORD=hunter2 psql -c 'select 1'", "PGPASSWORD=*** psql -c 'select 1'"),
    ('export GITHUB_TOKEN="abc def"; rm -rf /', "export GITHUB_TOKEN=***; rm -rf /"),
    ("AWS_SECRET_ACCESS_KEY=/ab+c/d= aws s3 ls", "AWS_SECRET_ACCESS_KEY=*** aws s3 ls"),
    ("DB_PASS=abc MYSQL_PWD=abc API_KEY=abc KEY=abc x", "DB_PASS=*** MYSQL_PWD=*** API_KEY=*** KEY=*** x"),
    ("TOKEN+=abc x", "TOKEN+=*** x"),
    ("PASSWORD=abc'd e'f x", "PASSWORD=*** x"),
    ("PASSWORD=$'a\\'b' x", "PASSWORD=*** x"),
    ("PASSWORD='$ecret1' x", "PASSWORD=*** x"),
    ("PASSWORD=a\\ b x", "PASSWORD=*** x"),
    ('PASSWORD="&a;b" x', "PASSWORD=*** x"),
    ("DB_PASSWORD2=abc x", "DB_PASSWORD2=*** x"),
    ("docker run -e TOKEN=abc -p 80:80 img", "docker run -e TOKEN=*** -p 80:80 img"),
    (
        "kubectl create secret generic x --from-literal=password=abc",
        "kubectl create secret generic x --from-literal=password=***",
    ),
    ("aws configure set aws_secret_access_key abc", "aws configure set aws_secret_access_key ***"),
    ("npm config set //r.example/:_authToken=abc", "npm config set //r.example/:_authToken=***"),
    ("openssl enc -pass pass:abc -in f", "openssl enc -pass *** -in f"),
    ("bash -c 'TOKEN=abc cmd' 'x'", "bash -c 'TOKEN=*** cmd' 'x'"),
    ("bash -c \"PASSWORD='a b' cmd\"", 'bash -c "PASSWORD=*** cmd"'),
    ("printf 'password = abc\\n' > ~/.my.cnf", "printf 'password = ***' > ~/.my.cnf"),
    ("# don't\nPASSWORD='a b' cmd", "# don't\nPASSWORD=*** cmd"),
    # fields, headers, URLs
    ('curl -d \'{"user":"a","password":"b c"}\' u', 'curl -d \'{"user":"a","password":***}\' u'),
    ('curl -d "{\\"password\\": \\"b c\\", \\"x\\": 1}" u', 'curl -d "{\\"password\\": ***, \\"x\\": 1}" u'),
    ("curl -d 'user=a&password=b&x=1' u", "curl -d 'user=a&password=***&x=1' u"),
    ("curl 'https://h/?access_token=abc&x=1'", "curl 'https://h/?access_token=***&x=1'"),
    ("curl -H 'Authorization: Bearer abcdef' u", "curl -H 'Authorization: Bearer ***' u"),
    ('curl -H "authorization: basic dXNlcjpwYXNz" u', 'curl -H "authorization: basic ***" u'),
    ("curl -H 'Authorization: abcdef' u", "curl -H 'Authorization: ***' u"),
    (
        "curl -H 'Authorization: Digest username=\"a\", nonce=b' u",
        "curl -H 'Authorization: Digest ***\"a\", nonce=b' u",
    ),
    ("curl -H 'X-Api-Key: abc' -H PRIVATE-TOKEN:abc u", "curl -H 'X-Api-Key: ***' -H PRIVATE-TOKEN:*** u"),
    ("curl -H 'Cookie: session=abc' u", "curl -H 'Cookie: ***' u"),
    ("curl --oauth2-bearer abcdef0123456789 u", "curl --oauth2-bearer *** u"),
    ("git clone https://user:pass@h.example/x.git", "git clone https://user:***@h.example/x.git"),
    ("git push https://a1b2c3d4e5a1b2c3d4e5@h.example/x", "git push https://***@h.example/x"),
    ('psql "postgres://u:p@h/db"', 'psql "postgres://u:***@h/db"'),
    ("redis-cli -u redis://:pass@h:6379", "redis-cli -u redis://:***@h:6379"),
    # options of well-known programs
    ("mysql -u root -psecret db", "mysql -u root -p*** db"),
    ("mysql -u root -p'my secret' db", "mysql -u root -p*** db"),
    ("/usr/bin/mysqldump -proot db|gzip>f", "/usr/bin/mysqldump -p*** db|gzip>f"),
    ('ssh h "mysql -psecret db"', 'ssh h "mysql -p*** db"'),
    ("curl -u user:pass https://h", "curl -u user:*** https://h"),
    ("curl -fsSu 'user:pa ss' https://h", "curl -fsSu 'user:***' https://h"),
    ("curl -uuser:pass --proxy-user=p:q https://h", "curl -uuser:*** --proxy-user=p:*** https://h"),
    ("sudo sshpass -p 'x y' ssh h", "sudo sshpass -p *** ssh h"),
    ("sshpass -pxy ssh h", "sshpass -p*** ssh h"),
    ("docker login -u a -p abc r.example", "docker login -u a -p *** r.example"),
    ("redis-cli -h h -a abc ping", "redis-cli -h h -a *** ping"),
    ("smbclient //h/s -U user%pass", "smbclient //h/s -U user%***"),
    ("echo pw | sudo -S id", "echo *** | sudo -S id"),
    ("echo -n 'root:pw' | chpasswd", "echo -n *** | chpasswd"),
    ("echo abc | docker login --password-stdin r", "echo *** | docker login --password-stdin r"),
    # tokens that show by their form
    ("echo ghp_0123456789abcdefghij0123456789abcdef", "echo ***"),
    ("x github_pat_11ABCDEFG0_abcdefghijklmnop", "x ***"),
    ("x glpat-abcdefghij1234567890", "x ***"),
    ("x sk-proj-abc123def456ghi789jkl0", "x ***"),
    ("x xoxb-1234567890-abcdef", "x ***"),
    ("x AKIAIOSFODNN7EXAMPLE", "x ***"),
    ("x npm_0123456789abcdefghij0123456789abcdef", "x ***"),
    ("x hf_abcdefghij1234567890ABCDEFGHIJ", "x ***"),
    ("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl y", "x *** y"),
    (
        "cat <<E >k\n-----BEGIN RSA PRIVATE KEY-----\nMIIabc+/=\n-----END RSA PRIVATE KEY-----\nE",
        "cat <<E >k\n-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nE",
    ),
    ("echo '-----BEGIN OPENSSH PRIVATE KEY-----\nabc'; rm x", "echo '-----BEGIN OPENSSH PRIVATE KEY-----***'; rm x"),
]

KEPT = [
    "ls -la && git status",
    "rm -rf ~/.password-store /etc/passwd secrets/ token.txt",
    "cat /run/secrets/db_password",
    "export GITHUB_TOKEN",
    "cmd --password-stdin --token-file f --secret-id x --key-name y",
    "cmd --password --verbose",
    "PASSWORD= x; TOKEN='' y; SECRET=\"\"",
    'curl -H "Authorization: Bearer $TOKEN" u',
    'curl -u user u; curl -u "$USER:$PASS" u',
    'cmd --password "$PASSWORD" --token=${TOKEN}',
    "PASSWORD=$(pass show x) cmd",
    "PASSWORD=`pass show x` cmd",
    "git clone https://$USER:$TOKEN@h.example/x",
    "git clone ssh://git@h.example:22/x && curl http://[::1]:80/a@b",
    "AWS_ACCESS_KEY_ID=x TOKEN_URL=y PASSWORD_STORE_DIR=/d SSH_AUTH_SOCK=/s cmd",
    "SSH_KEY=~/.ssh/id GOOGLE_APPLICATION_CREDENTIALS=/k.json cmd",
    "PWD=/x OLDPWD=/y BYPASS=1 COMPASS=n cmd",
    "docker run -v $PWD:/app -p 80:80 repo/secret:latest",
    "mysql -u root -p db",
    "sort --key=2 f | keytool -list | ssh-keygen -t ed25519",
    "ssh -o StrictHostKeyChecking=no -i key.pem u@h",
    'grep -r "password=" src "x"',
    "grep -- '-----BEGIN RSA PRIVATE KEY-----' f",
    "npm_config_registry=x npm i scikit-learn task-1234567890123456789012345 hf_hub_download",
    "docker build --secret id=npm,src=.npmrc .",
    "ffmpeg -pass 1 -i in out",
    "python train.py --max-tokens 100 --tokenizer bert --author me",
    "[ \"$TOKEN\" == x ] && awk '$token ~ /x/'",
    "echo hello | sudo tee -S /x",
    "git commit -m 'Add token validation and bearer authentication'",
]


@pytest.mark.parametrize(("text", "expected"), HIDDEN)
def test_a_secret_is_replaced_and_the_rest_stays(text: str, expected: str) -> None:
    assert redact(text) == expected


def test_each_program_with_a_secret_option_is_worth_a_closer_look() -> None:
    for name in secrets._PROGRAMS:
        assert redact(f"{name} -x") == f"{name} -x"
        assert redact_module._is_suspect(f"{name} -x", f"{name} -x"), name
    for prefix, _, _ in secrets._SHAPES:
        assert redact_module._is_suspect(prefix, prefix.lower()), prefix


@pytest.mark.parametrize("text", KEPT)
def test_what_holds_no_secret_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('PASSWORD="abc$(rm -rf /)" x', "$(rm -rf /)"),
        ("PASSWORD=abc`rm -rf /` x", "`rm -rf /`"),
        ("cmd --token=abc;rm -rf /", ";rm -rf /"),
        ("curl -u a:b$(rm -rf /) u", "$(rm -rf /)"),
        ("echo '-----BEGIN PRIVATE KEY-----' ; rm -rf / ; echo '-----END PRIVATE KEY-----'", "; rm -rf / ;"),
        ("curl -H Authorization:\\ Bearer\\ abc u && rm -rf /", "&& rm -rf /"),
        ("curl -H 'Authorization: Digest x'$(rm -rf /)", "$(rm -rf /)"),
    ],
)
def test_a_command_cannot_hide_behind_a_secret(text: str, command: str) -> None:
    hidden = redact(text)
    assert command in hidden
    assert "abc" not in hidden


PIECES = st.sampled_from(
    [
        "PASSWORD=", "--token", "--password=", "token:", "Authorization: Bearer ", "Authorization:", "Digest ",
        "https://u:", "@h/", "mysql -p", "curl -u ", "docker login -p ", "echo ", "| sudo -S", "| chpasswd",
        "ghp_", "eyJ", "sk-", "a1b2c3d4e5f6a7b8c9d0e1f2", "AKIA", "-----BEGIN RSA PRIVATE KEY-----", "-----END",
        "'", '"', '\\"', "\\",
        "$(", ")",
        "`", "$X", "${X}", "{", "}", "[", ",", ":", "=", "&", ";", "|", " ", "\n", "***", "*", "set ", "key",
        "API_KEY", "pass",
        "x-api-key:", "\udc80", "é", "İ", "+=", "://", "-", "-p", "%", "user:pass", "\0",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=14).map("".join)


@given(TEXTS)
@example("PASSWORD='")
@example("PASSWORD=***'")
@example("curl -u a:")
def test_any_text_is_taken_and_grows_by_no_more_than_its_masks(text: str) -> None:
    hidden = redact(text)
    assert len(hidden) <= len(text) + 2 * hidden.count("***")


@given(TEXTS)
def test_what_was_redacted_once_stays_as_it_is(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="'\\\0"), min_size=1, max_size=12)


@given(WORDS.filter(lambda word: word.strip('*"') != ""))
@pytest.mark.parametrize(
    "template",
    [
        "PASSWORD='@' cmd",
        "cmd --token '@' x",
        "mysql -p'@' db",
        "sshpass -p '@' ssh h",
        "curl -u 'user:@' h",
        "TOKEN='@'",
    ],
)
def test_a_quoted_secret_is_gone_whatever_it_holds(template: str, word: str) -> None:
    secret = f"S3{word}cret"
    assert "S3" not in redact(template.replace("@", secret))


HEAVY = [
    "pass", "PASSWORD=", "PASSWORD='", 'PASSWORD="', "PASSWORD=\\\"", "--token ", "eyJ.", "eyJ", "sk-", "://", "://a:",
    "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "mysql -p", "curl -u '", "echo 'a | sudo -S ",
    "Authorization: Digest ",
    "Authorization: Bearer", "'", '"', "\\", "token\"'", "token\\", "secret                ", "set token ", "password-",
]  # fmt: skip


@pytest.mark.parametrize("piece", HEAVY)
def test_the_time_grows_with_the_length_and_not_with_its_square(piece: str) -> None:
    def cost(size: int) -> float:
        text = piece * (size // len(piece))
        best = 9.0
        for _ in range(3):
            start = time.thread_time()
            redact(text)
            best = min(best, time.thread_time() - start)
        return best

    # Eight times the text; a square would be sixty-four times the time.
    assert cost(64_000) < 24 * cost(8_000) + 0.005


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text: 'ä 日本' ~", "plain text: 'ä 日本' ~"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("a\0b\x7fc\x9bd", "a\\x00b\\x7fc\\x9bd"),
        ("a\u202eb\u2066c\u200bd\ufeffe", "a\\u202eb\\u2066c\\u200bd\\ufeffe"),
        ("\udc80\ud800", "\\udc80\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("a\u2028b\xa0c\u3164d\u034fe\ufe0f", "a\\u2028b\\xa0c\\u3164d\\u034fe\\ufe0f"),
    ],
)
def test_what_a_terminal_would_act_on_is_shown_escaped(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_line_ends_and_tabs_can_be_kept_but_a_carriage_return_never() -> None:
    assert printable("a\nb\tc\rd\x1b", multiline=True) == "a\nb\tc\\rd\\x1b"
    assert printable("é\n", multiline=True) == "é\n"


@given(st.text(st.characters()), st.booleans())
def test_printable_text_can_always_be_written_and_is_its_own_form(text: str, multiline: bool) -> None:
    shown = printable(text, multiline)
    shown.encode("utf-8")
    assert all(char.isprintable() or (multiline and char in "\n\t") for char in shown)
    assert printable(shown, multiline) == shown
