"""Text that goes into the system's settings: what a line of it opens, or switches off, once it is read."""

from __future__ import annotations

from phocinae_cli.analysis.hosts import is_local
from phocinae_cli.kb.lists import LISTS
from phocinae_cli.kb.schema import glob_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.collect import Collector
    from phocinae_cli.core.effects import Action

STAR = "\0"
"""Stands for a star in a line, since a glob can't tell one from any text."""
ROOTS = ("/etc/", "/boot/", "/efi/", "/usr/local/etc/", "/private/etc/", "/opt/homebrew/etc/", "/sys/", "/proc/sys/")
KERNEL = ("/etc/default/grub*", "/etc/kernel/cmdline*", "/boot/*", "/efi/*", "/etc/sysconfig/grub", "/etc/grub.d/*")
SYSCTL = ("/etc/sysctl.conf", "/etc/sysctl.d/*", "/usr/local/etc/sysctl*")
SOURCES = (
    "/etc/apt/sources.list*", "/etc/yum.repos.d/*", "/etc/zypp/repos.d/*", "/etc/apk/repositories", "/etc/pacman.conf",
    "/etc/pip.conf", "/etc/xbps.d/*", "/etc/opkg/*",
)  # fmt: skip
UNSIGNED = ("trusted=yes", "gpgcheck=0", "siglevel=never", "siglevel=optionaltrustall", "allow-insecure=yes")

# Where, what (in lower case, without blanks, as a glob of a line), and why it matters.
WEAKENS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        KERNEL,
        (
            "*selinux=0*",
            "*apparmor=0*",
            "*audit=0*",
            "*enforcing=0*",
            "*lockdown=none*",
            "*mitigations=off*",
            "*module.sig_enforce=0*",
            "*init=/bin/*sh*",
            "*ima_appraise=off*",
        ),
        "the kernel starts without what guards the machine",
    ),
    (
        SYSCTL,
        (
            "kernel.randomize_va_space=0",
            "kernel.yama.ptrace_scope=0",
            "fs.protected_*=0",
            "kernel.core_pattern=|/tmp*",
            "security.bsd.*=0",
        ),
        "takes a protection of the kernel away",
    ),
    (
        (
            "/sys/fs/selinux/enforce",
            "/proc/sys/kernel/randomize_va_space",
            "/proc/sys/kernel/yama/ptrace_scope",
            "/proc/sys/fs/protected_*",
            "/sys/kernel/security/*",
        ),
        ("0", "none"),
        "takes a protection of the kernel away",
    ),
    (("/sys/fs/selinux/disable",), ("1",), "switches SELinux off"),
    (("/sys/module/apparmor/*",), ("complain", "0", "n"), "makes AppArmor only watch"),
    (
        ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe"),
        ("|/*", "/tmp*"),
        "makes the kernel run a program as root",
    ),
    (("/etc/ufw/*", "/etc/default/ufw"), ("enabled=no", "default_input_policy=*accept*"), "switches the firewall off"),
    (
        ("/etc/pf.conf", "/etc/pf.anchors/*", "/etc/ipf.rules"),
        ("passall*", "passinall*", "passinquickall*"),
        "lets everything in",
    ),
    (("/etc/csf/csf.conf",), ('testing="1"',), "switches the firewall off"),
    (("/etc/sysconfig/selinux",), ("selinux=disabled", "selinux=permissive"), "switches SELinux off"),
    (
        ("/etc/yum.conf", "/etc/dnf/dnf.conf", "/etc/zypp/zypp.conf"),
        ("gpgcheck=0", "gpgcheck=false", "gpgcheck=no", "gpgcheck=off"),
        "installs what nobody signed",
    ),
    (("/etc/pacman.conf",), ("siglevel=never", "siglevel=*trustall*"), "installs what nobody signed"),
    (
        ("/etc/apt/apt.conf*",),
        (
            "*allow*unauthenticated*true*",
            '*allow*unauthenticated*"1"*',
            "*allowinsecurerepositories*true*",
            '*allowinsecurerepositories*"1"*',
            "*verify-peer*false*",
        ),
        "installs what nobody signed",
    ),
    (
        ("/etc/rsyslog*",),
        (f"{STAR}.{STAR}/dev/null*", f"{STAR}.{STAR}~", f"{STAR}.{STAR}stop", f"{STAR}.{STAR}discard"),
        "stops the record of what happens",
    ),
    (("/etc/hosts.allow",), ("all:all*",), "lets every machine in"),
    (("/etc/exports*",), (f"*{STAR}(*rw*",), "lets every machine write to it"),
    (
        ("*/pg_hba.conf",),
        ("host*0.0.0.0/0*trust*", "host*::/0*trust*"),
        "lets everybody into the database without a password",
    ),
    (
        ("*my.cnf", "*/mysql/*", "*/mariadb/*", "*/my.cnf.d/*"),
        ("skip-grant-tables*", "skip_grant_tables*"),
        "lets everybody into the database without a password",
    ),
    (("/etc/systemd/journald.conf*",), ("storage=none",), "stops the record of what happens"),
)
RULES = (
    "/etc/nftables.conf", "/etc/nftables/*", "/etc/iptables/*", "/etc/sysconfig/iptables*",
    "/etc/sysconfig/ip6tables*", "/etc/sysconfig/nftables*", "/etc/ufw/*.rules", "/etc/ufw/ufw.conf", "/etc/pf.conf",
    "/etc/firewalld/firewalld.conf", "/etc/firewalld/zones/*", "/etc/default/ufw", "/etc/ipfw.rules",
    "/etc/shorewall/rules",
)  # fmt: skip
"""What a firewall reads when the machine starts."""
UNIT_DIRS = (
    "/etc/systemd/system/", "/usr/lib/systemd/system/", "/lib/systemd/system/", "/etc/init.d/",
    "/Library/LaunchDaemons/",
)  # fmt: skip
EDITORS = ("sed", "gsed", "perl", "ruby", "ex", "ed", "awk", "gawk")


def judge_written(collector: Collector, path: str, text: str | None, action: Action) -> None:
    """Record what a text that is written to one of the system's settings opens or switches off."""
    if text is None or not path.startswith(ROOTS):
        return
    if not text.strip() and any(glob_match(place, path) for place in RULES):
        _lost_rules(collector, path, action)
        return
    lines = ["".join(line.split()).lower().replace("*", STAR) for line in text[:MAX_TEXT].splitlines()]
    lines = [line for line in lines if line and line[0] not in "#;"]
    for places, globs, why in WEAKENS:
        if any(glob_match(place, path) for place in places) and any(
            glob_match(glob, line) for glob in globs for line in lines
        ):
            collector.effect("security-off", path, action, "settings.guard-off", why, "leave that setting as it is")
            return
    if any(glob_match(place, path) for place in SOURCES) and _unsigned_stranger(lines):
        collector.effect(
            "security-off", path, action, "settings.unsigned-source",
            "whoever stands between decides what is installed here", "use https and a signed source",
        )  # fmt: skip


MAX_TEXT = 20000


def _unsigned_stranger(lines: list[str]) -> bool:
    """Return whether a list of package sources names one in clear text whose signature nobody checks."""
    clear = [line.partition("http://")[2] for line in lines if "http://" in line]
    hosts = [rest.partition("/")[0].partition(":")[0] for rest in clear]
    return any(mark in line for line in lines for mark in UNSIGNED) and any(
        not is_local(host) for host in hosts if host
    )


def judge_changed(collector: Collector, kind: str, path: str, action: Action) -> None:
    """Record what a link, or an edit in place (`sed -i s/A/B/`, `perl -pi -e`), does to the system's settings."""
    if kind in ("link", "create"):
        _judge_linked(collector, path, action)
    elif kind in ("delete", "scramble", "move") or (kind == "overwrite" and "/dev/null" in action.argv):
        _judge_lost(collector, path, action)
    elif kind == "write" and action.program in EDITORS and path.startswith(ROOTS):
        judge_written(collector, path, "\n".join(put_in(word) for word in action.argv[1:]), action)


def _judge_lost(collector: Collector, path: str, action: Action) -> None:
    """Record the loss of what a firewall, or another guard, needs to start."""
    name = path.rpartition("/")[2]
    guards = LISTS["mac-guards"] if path.startswith("/Library/") else LISTS["guards"]
    if any(glob_match(place, path) for place in RULES) or (
        path.startswith(UNIT_DIRS) and any(glob_match(guard, name) for guard in guards)
    ):
        _lost_rules(collector, path, action)


def _lost_rules(collector: Collector, path: str, action: Action) -> None:
    collector.effect("security-off", path, action, "settings.guard-lost", "the guard can't start as it did without it")


def _judge_linked(collector: Collector, path: str, action: Action) -> None:
    """Record a link by which a profile or a unit that guards the machine is switched off."""
    unit = path.rpartition("/")[2]
    masks = "/dev/null" in action.argv and path.startswith("/etc/systemd/system/")
    if path.startswith("/etc/apparmor.d/disable") or (
        masks and any(glob_match(name, unit) for name in LISTS["guards"])
    ):
        collector.effect(
            "security-off", path, action, "settings.guard-off", "keeps what guards the machine from starting"
        )


def put_in(program: str) -> str:
    """Return what an editing program puts into a text: the replacements, and lines that are added."""
    found: list[str] = []
    at = 0
    while at < len(program) - 1:
        start = at == 0 or not (program[at - 1].isalnum() or program[at - 1] == "_")
        if program[at] == "s" and start and program[at + 1] in "/|,#@!:%~{":
            replaced, at = _replacement(program, at + 1)
            found.append(replaced.replace("&", "\n").replace("\\1", "\n"))
            continue
        if program[at] in "aic" and (at == 0 or program[at - 1] in "0123456789$/!} ;") and program[at + 1] in "\\ ":
            found.append(program[at + 1 :].lstrip("\\ \n").partition("\n")[0])
        elif program[at] in "aic" and at > 0 and program[at - 1] in "0123456789$/":
            found.append(program[at + 1 :].partition("\n")[0])
        at += 1
    return "\n".join(found)


def _replacement(program: str, at: int) -> tuple[str, int]:
    """Return the second field behind a mark, and where it ends."""
    mark = program[at]
    fields: list[str] = []
    start = at + 1
    at = start
    while at < len(program) and len(fields) < 2:
        if program[at] == "\\":
            at += 2
            continue
        if program[at] == mark:
            fields.append(program[start:at])
            start = at + 1
        at += 1
    return (fields[1] if len(fields) > 1 else "", max(at, start))
