"""Where Windows paths lie: drives, profiles, the registry, shares, devices."""

from __future__ import annotations

import pytest

from phocinae_cli.analysis.values import Unknown, Value, known
from phocinae_cli.analysis.windows.paths import Located, WindowsPlaces, canonical, located


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C:\\Windows\\Temp", "/c:/Windows/Temp"),
        ("c:/windows", "/c:/windows"),
        ("HKLM:\\Software", "/hklm:/Software"),
        ("HKEY_CURRENT_USER\\Software", "/hkcu:/Software"),
        ("Registry::HKEY_LOCAL_MACHINE\\SAM", "/hklm:/SAM"),
        ("\\\\srv\\share\\a", "/unc:/srv/share/a"),
        ("\\\\?\\C:\\Windows", "/c:/Windows"),
        ("\\\\.\\PhysicalDrive0", "/disk:/PhysicalDrive0"),
        (".\\src\\a.cs", "./src/a.cs"),
        ("/etc/passwd", "/etc/passwd"),
    ],
)
def test_paths_of_windows_get_one_form(text: str, expected: str) -> None:
    assert canonical(text) == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("C:\\", "root"),
        ("D:\\*", "root"),
        ("C:\\*.*", "root"),
        ("C:\\Windows", "system"),
        ("C:\\WINDOWS\\system32\\kernel32.dll", "system"),
        ("C:\\Windows\\..\\Windows\\System32", "system"),
        ("C:\\Windows\\Temp\\a", "temp"),
        ("C:\\Windows\\System32\\drivers\\etc\\hosts", "vital"),
        ("C:\\Windows\\System32\\config\\SAM", "secret"),
        ("C:\\Windows\\System32\\winevt\\Logs\\Security.evtx", "log"),
        ("C:\\Users", "home"),
        ("C:\\Users\\*", "home"),
        ("C:\\Users\\me", "home"),
        ("c:\\users\\ME\\Documents\\a.txt", "home-data"),
        ("C:\\Users\\me\\AppData\\Local\\Temp", "temp-root"),
        ("C:\\Users\\me\\AppData\\Local\\Temp\\x", "temp"),
        ("C:\\Users\\me\\.ssh\\id_rsa", "secret"),
        ("C:\\Users\\me\\.ssh\\id_rsa.pub", "home-config"),
        ("C:\\Users\\you\\Documents", "home-other"),
        ("C:\\Users\\me\\src\\app\\bin\\x.dll", "disposable"),
        ("C:\\Users\\me\\src\\app\\main.cs", "project"),
        ("C:\\Users\\me\\src\\app", "project-root"),
        ("C:\\Users\\me\\src\\app\\.git", "git-dir"),
        ("C:\\Program Files", "system"),
        ("C:\\$Recycle.Bin\\x", "trash"),
        ("D:\\Backups\\db.bak", "backup"),
        ("\\\\srv\\share", "remote"),
        ("\\\\.\\PhysicalDrive0", "disk"),
        ("NUL", "stream"),
        ("HKLM:\\", "root"),
        ("HKLM:\\SYSTEM\\CurrentControlSet\\Services", "system"),
        ("HKLM:\\SOFTWARE\\Vendor\\App", "system-local"),
        ("HKCU:\\Software", "home"),
        ("HKCU:\\Software\\Vendor", "home-config"),
        ("HKCU:\\Software\\Microsoft\\Windows\\CurrentVersion\\Run", "startup"),
    ],
)
def test_the_place_of_a_path(text: str, place: str) -> None:
    places = WindowsPlaces("C:\\Users\\me\\src\\app", "C:\\Users\\me")
    assert places.place("/" + canonical(text).lstrip("/")) == place


def test_a_path_that_was_resolved_against_a_directory_is_found_again() -> None:
    places = WindowsPlaces("/home/user/project", "/home/user")
    assert places.place("/home/user/project/C:\\Windows\\System32") == "system"
    assert places.place("/home/user/project/C:/Users/user/Documents") == "home-data"


def test_with_a_posix_home_any_profile_may_be_the_users_own() -> None:
    places = WindowsPlaces("/home/user/project", "/home/user")
    assert places.place("/c:/Users/Sam/Documents/a.txt") == "home-data"
    assert places.place("/c:/Users/Public/a.txt") == "home-other"
    assert places.place("/c:/Users/user/project/src/a.cs") == "project"


def test_a_located_word_shows_what_was_written_and_reads_as_its_path() -> None:
    word = located(known("C:\\Users\\x"), "/home/user")
    assert isinstance(word, Located)
    assert (word.text, word.readings()) == ("C:\\Users\\x", ("/c:/Users/x",))


def test_unknown_parts_stay_in_a_located_word() -> None:
    word = located(Value((Unknown("parameter X"), "\\Windows")), "/home/user")
    assert word.readings() == ("x/Windows", "/Windows")


def test_addresses_and_plain_words_are_no_paths() -> None:
    assert not isinstance(located(known("https://example.com/a"), "/home/user"), Located)
    assert not isinstance(located(known("Running"), "/home/user"), Located)
