"""Where a path lies: the place that decides how much a change there matters.

Pure text work: `..`, `//` and `/./` are resolved as written; links are a matter of facts. The classes are those
of the policy: disposable places, the project, home, the system, secrets, start-up files, disks.
"""

from __future__ import annotations

from phocinae_cli.kb.schema import glob_match

DISPOSABLE = frozenset(
    (
        "node_modules", "build", "dist", "target", "out", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache",
        ".tox", ".nox", ".venv", "venv", "coverage", "htmlcov", ".cache", ".next", ".nuxt", ".turbo", ".parcel-cache",
        ".gradle", ".eggs", ".hypothesis", ".terraform", ".svelte-kit", "bin", "obj", ".nyc_output", "tmp",
        ".coverage", ".angular", ".sass-cache", ".ipynb_checkpoints", "_build", "cmake-build-debug",
        "cmake-build-release",
        "bower_components", ".vite", ".output", ".expo", "Pods", "DerivedData", ".bundle", "test-results",
        "playwright-report",
    )
)  # fmt: skip
BUILD_OUTPUT = frozenset(("build", "dist", "target", "out", "coverage", "htmlcov", "_build", "obj", "tmp"))
DISPOSABLE_ENDINGS = (
    ".DS_Store", "/Thumbs.db", ".pyc", ".pyo", ".o", ".obj", ".a", ".class", ".egg-info", ".tmp", ".swp", ".orig~",
    "~",
)  # fmt: skip
ALWAYS_DISPOSABLE = frozenset(
    (
        "node_modules", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".venv",
        ".parcel-cache", ".next", ".turbo", ".gradle", ".terraform", "bower_components", "DerivedData",
    )
)  # fmt: skip
"""Names that are disposable wherever they stand, not only inside the directory one works in."""

SYSTEM = frozenset(
    (
        "etc", "usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "boot", "sys", "proc", "dev", "System",
        "Library",
        "Applications", "private", "cores", "init", "vmlinuz", "nix", "snap", "efi",
    )
)  # fmt: skip
SYSTEM_DATA = frozenset(
    ("var", "srv", "opt", "mnt", "media", "data", "Volumes", "run", "home", "Users", "root", "lost+found")
)

SERVICE_DATA = ("/var/lib/", "/var/mail/", "/var/spool/mail/", "/var/db/")
"""Where services keep what nobody else has: databases, mail, the state of packages."""
BACKUPS = ("backup", "snapshot", "restic", "borg", "duplicity", "timeshift", "rdiff")
SYSTEM_CACHES = ("/var/cache/", "/var/lib/apt/lists", "/var/lib/dnf/", "/var/lib/yum/", "/var/lib/docker/tmp/")

HISTORY_DIRS = frozenset((".git", ".hg", ".jj", ".bzr", "_darcs", ".pijul", ".repo"))
"""Where a version control program keeps what was committed, in the project itself."""
GIT_STATE = frozenset(
    ("index", "rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "gc.log", "gc.pid")
)
"""What git makes anew: no commit is lost with it."""

HOME_CACHES = (
    "/Library/Caches", "/.cargo/registry", "/.cargo/git/", "/go/pkg/mod", "/.nuget/packages", "/.ivy2/cache",
    "/.composer/cache", "/.bun/install/cache", "/.conda/pkgs", "/miniconda3/pkgs", "/anaconda3/pkgs", "/.pub-cache",
    "/.node-gyp", "/.minikube/cache", "/.terraform.d/plugin-cache", "/.local/share/pnpm/store", "/.android/cache",
    "/.android/build-cache", "/Library/Developer/Xcode/DerivedData", "/.sbt/boot", "/.rustup/downloads",
    "/.rustup/tmp", "/.gem/specs", "/.electron", "/.cocoapods/repos", "/.stack/pantry", "/.cabal/packages",
)  # fmt: skip
"""Where programs keep below a home what they fetch again."""
SECRET_NAMES = frozenset(
    (
        ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".git-credentials", ".npmrc", ".pypirc", ".env",
        ".envrc",
        "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials", "credentials.json", "shadow", "gshadow",
        ".htpasswd",
        "master.key", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "service-account.json", "token",
        ".vault-token", "key4.db", "logins.json", "Login Data", "Cookies", "cookies.sqlite", "Local State", "Web Data",
        "keystore.jks", "wallet.dat", ".dockercfg", "kubeconfig", "admin.conf", "application_default_credentials.json",
        "terraform.tfstate", ".s3cfg", ".boto", "hosts.yml", "SAM", "SECURITY", "NTDS.dit", "ntds.dit", "krb5.keytab",
        "login.keychain-db", "login.keychain", ".bash_history", ".zsh_history", ".psql_history", ".mysql_history",
        "authinfo.gpg", ".authinfo", "sudoers.db", "opasswd", "accessTokens.json", "msal_token_cache.json", "lsass.dmp",
    )
)  # fmt: skip
SECRET_ENDINGS = (".pem", ".key", ".p12", ".pfx", ".kdbx", ".ppk", ".jks", ".keystore", ".asc.key", ".ovpn", ".keytab")
SECRET_DIRS = (
    "/.ssh", "/.gnupg", "/.aws", "/.azure", "/.config/gcloud", "/.kube", "/.docker", "/.password-store",
    "/.local/share/keyrings", "/Library/Keychains", "/.config/gh", "/.mozilla", "/.config/google-chrome",
    "/.config/chromium", "/Library/Application Support/Google/Chrome", "/Library/Application Support/Firefox",
    "/.config/op", "/.oci", "/.config/hub", "/.electrum", "/.bitcoin", "/.ethereum", "/.config/BraveSoftware",
    "/.thunderbird", "/.config/solana", "/.config/doctl", "/.config/rclone", "/.terraform.d",
)  # fmt: skip
PUBLIC_ENDINGS = (
    ".pub", "known_hosts", "/config", ".example", ".sample", ".template", ".dist", "cert.pem", "ca.pem", "crt.pem",
    "chain.pem",
)  # fmt: skip

STARTUP_NAMES = frozenset(
    (
        ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zprofile", ".zshenv", ".zlogin",
        ".bash_aliases",
        ".bash_logout", ".zlogout", ".xinitrc", ".xprofile", ".xsession", "config.fish", ".inputrc", ".pythonrc",
        "crontab", "rc.local", "environment", "bash.bashrc", "zshrc", "profile", "ld.so.preload", ".vimrc", ".tcshrc",
    )
)  # fmt: skip
STARTUP_DIRS = (
    "/etc/cron", "/var/spool/cron", "/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    "/.config/systemd/user", "/.config/autostart", "/Library/LaunchAgents", "/Library/LaunchDaemons", "/etc/init.d",
    "/etc/profile.d", "/etc/rc", "/etc/xdg/autostart", "/.git/hooks", "/etc/update-motd.d", "/.config/fish/conf.d",
    "/etc/udev/rules.d", "/etc/ld.so.conf.d", "/etc/apt/apt.conf.d", "/etc/NetworkManager/dispatcher.d",
)  # fmt: skip
ACCESS_FILES = (
    "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/pam.d", "/etc/security",
    "/etc/ssh/sshd_config", "/etc/ssh", "/etc/master.passwd", "/etc/selinux/config", "/etc/audit",
    "/etc/doas.conf", "/etc/polkit-1", "/etc/ld.so.preload",
)  # fmt: skip
VITAL_FILES = (
    "/proc/sysrq-trigger", "/sys/fs/selinux/enforce", "/sys/fs/selinux/disable",
    "/sys/kernel/security/apparmor/.remove", "/sys/fs/cgroup/cgroup.kill", "/sys/fs/cgroup/system.slice/cgroup.kill",
    "/sys/fs/cgroup/user.slice/cgroup.kill", "/sys/fs/cgroup/init.scope/cgroup.kill",
    "/sys/fs/cgroup/system.slice/cgroup.freeze", "/sys/fs/cgroup/user.slice/cgroup.freeze",
    "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/etc/environment.d", "/etc/shells",
    "/etc/nsswitch.conf", "/etc/fstab", "/etc/hosts", "/etc/resolv.conf", "/etc/crypttab", "/etc/default/grub",
    "/etc/inittab", "/etc/crontab", "/etc/ld.so.conf", "/etc/hostname", "/etc/mdadm", "/etc/exports",
)  # fmt: skip

STREAMS = (
    "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/full", "/dev/zero", "/dev/random",
    "/dev/urandom", "/dev/fd", "/dev/pts", "/dev/ptmx", "/dev/console", "NUL", "/proc/self/fd", "/dev/shm/.keep",
)  # fmt: skip
DISK_PREFIXES = (
    "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "dm-", "md", "loop", "mapper", "sr", "nbd", "zd",
    "ram", "dasd", "bcache", "root", "drbd", "rbd", "pmem", "mtd", "ubi", "zvol", "cciss", "ada",
    "nvd", "vtbd", "etherd",
)  # fmt: skip
DEVICE_DIRS = frozenset(
    (
        "block", "bsg", "bus", "char", "cpu", "dma_heap", "dri", "dvb", "fd", "hugepages", "input", "infiniband",
        "mqueue",
        "net", "pts", "raw", "serial", "shm", "snd", "tcp", "udp", "usb", "v4l", "vfio", "vhost", "watchdog",
        "virtio-ports",
        "accel", "lightnvm", "pktcdvd", "xen", "vmware", "binderfs", "comedi", "i2c", "spi",
    )
)  # fmt: skip
"""Directories of /dev that hold no disks; any other is a volume group."""
MAC_TEMP = ("/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders")


def normalise(path: str, cwd: str | None) -> str | None:
    """Return the absolute path with `.`, `..` and doubled slashes resolved, or None when the base is unknown."""
    if not path.startswith("/"):
        if cwd is None:
            return None
        path = cwd + "/" + path
    if "/." not in path and "//" not in path and not path.endswith("/"):
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/" + "/".join(parts)


class Whereabouts:
    """What classification needs to know: the project (the directory the caller works in) and the home directory.

    `root` is the top of the git work tree when facts gave it, else the caller's directory.
    """

    __slots__ = ("_placed", "home", "project", "root")

    def __init__(self, project: str, home: str, root: str | None = None) -> None:
        self.home = home.rstrip("/") or "/root"
        self.root = root
        self._placed: dict[str, str] = {}
        project = project.rstrip("/")
        shared = project in ("", "/home", "/Users", "/tmp", "/var/tmp", "/root") or _top_of_system(project)
        # Whoever works in the home directory, in / or in /tmp has no project there to fall back on.
        self.project = None if shared or self.home == project or self.home.startswith(project + "/") else project

    def place(self, path: str) -> str:
        """Return the place of an absolute, normalised path."""
        found = self._placed.get(path)
        if found is None:
            found = _device(path) or _access(path) or self._owned(path) or _system(path)
            if len(self._placed) > MAX_REMEMBERED:
                self._placed.clear()
            self._placed[path] = found
        return found

    def _owned(self, path: str) -> str | None:
        home, project = self.home, self.project
        if project is not None:
            root = self.root or project
            if path == root or (root.startswith(path + "/") and path.startswith(home + "/")):
                return "project-root"
            for base in (project, root):
                if path == base:
                    return "project-root"
                if path.startswith(base + "/"):
                    return _inside_project(path[len(base) :])
        if path == home or home.startswith(path + "/") or path in ("/home", "/Users", "/root"):
            return "root" if path == "/" else "home"
        if path.startswith(home + "/"):
            return inside_home(path[len(home) :])
        parts = path.split("/")
        if parts[1] in ("home", "Users", "root") and len(parts) > 2:
            return inside_home("/" + "/".join(parts[3:])) if len(parts) > 3 and _special(path) else "home-other"
        return _temp(path)


MAX_REMEMBERED = 2000
_made: dict[tuple[str, str, str | None], Whereabouts] = {}


def whereabouts(project: str, home: str, root: str | None = None) -> Whereabouts:
    """Return the classification for a place to work in; the same one again for the same place."""
    key = (project, home, root)
    found = _made.get(key)
    if found is None:
        if len(_made) > 64:
            _made.clear()
        found = _made[key] = Whereabouts(project, home, root)
    return found


def _top_of_system(path: str) -> bool:
    """Return whether a working directory belongs to the system, not to somebody's work."""
    parts = path.split("/")
    return len(parts) > 1 and parts[1] in SYSTEM and not path.startswith(("/usr/local/src", "/usr/src"))


def _special(path: str) -> bool:
    return _secret(path) or bool(_startup(path))


def _inside_project(rest: str) -> str:
    """Return the place of a path below the project; `rest` starts with a slash."""
    parts = rest.split("/")
    if not HISTORY_DIRS.isdisjoint(parts):
        if ".git" in parts and (parts[-1].endswith(".lock") or not GIT_STATE.isdisjoint(parts)):
            return "project"
        return "startup" if ".git" in parts and "hooks" in parts[parts.index(".git") :] else "git-dir"
    if parts[1][:1] == "." and ("*" in parts[1] or "?" in parts[1]):
        if glob_match(parts[1].replace("[!.]", "?").replace("[^.]", "?"), ".git"):
            return "git-dir"  # `rm -rf .??*`
    if any(part in DISPOSABLE for part in parts) or ends_disposable(parts[-1]):
        return "disposable"
    return "project-secret" if _secret(rest) else "project"


def ends_disposable(name: str) -> bool:
    """Return whether a file of this name can be made again, by its ending."""
    return name.endswith(DISPOSABLE_ENDINGS) and name not in DISPOSABLE_ENDINGS


def inside_home(rest: str) -> str:
    """Return the place of a path below a home directory; `rest` starts with a slash."""
    parts = rest.split("/")
    if parts[1] in (
        ".cache",
        ".npm",
        ".pnpm-store",
        ".yarn",
        ".gradle",
        ".m2",
        ".thumbnails",
        "Downloads-tmp",
    ) or rest.startswith(HOME_CACHES):
        return "home-cache"
    if parts[1] in (".Trash",) or rest.startswith("/.local/share/Trash"):
        return "trash"
    if rest.endswith(("/authorized_keys", "/.ssh/rc")):
        return "access"
    if _secret(rest):
        return "secret"
    starts = _startup(rest)
    if starts:
        return starts
    if any(part in ALWAYS_DISPOSABLE for part in parts) or ends_disposable(parts[-1]):
        return "disposable"
    if not HISTORY_DIRS.isdisjoint(parts):
        return "startup" if ".git" in parts and "hooks" in parts else "git-dir"
    if parts[1].startswith("."):
        return "home-config"
    # What a build makes in somebody's other project: it can be made again, but whose it is should be seen first.
    return "home-cache" if len(parts) > 3 and not BUILD_OUTPUT.isdisjoint(parts[3:]) else "home-data"


def _secret(path: str) -> bool:
    if path.endswith(PUBLIC_ENDINGS) and "~" not in path and not path.endswith((".kube/config", ".docker/config")):
        return False
    name = path.rpartition("/")[2].partition("~")[0]
    if name in SECRET_NAMES or path.endswith(SECRET_ENDINGS):
        return True
    if name.startswith((".env.", "id_rsa", "id_ed25519", "id_ecdsa", "id_*", "service-account")):
        return True
    if "/." not in path and "/Library/" not in path:
        return False
    return any(folder + "/" in path or path.endswith(folder) for folder in SECRET_DIRS)


def _startup(path: str) -> str:
    """Return `rc` for a shell's own start-up file, `startup` for a place whose files run by themselves, or nothing."""
    if ("/etc/" in path or "/." in path or "/Library/" in path or "systemd" in path or "cron" in path) and any(
        folder in path for folder in STARTUP_DIRS
    ):
        return "startup"
    return "rc" if path.rpartition("/")[2] in STARTUP_NAMES else ""


def reads_as_secret(path: str) -> bool:
    """Return whether the content of a file of the `access` kind is secret: hashes and host keys, not `passwd`."""
    name = path.rpartition("/")[2]
    if "*" in name or "?" in name:
        return any(glob_match(name, secret) for secret in ("shadow", "gshadow", "sudoers", "opasswd"))
    return (
        "shadow" in name
        or name in ("sudoers", "opasswd", "master.passwd")
        or ("_key" in name and not name.endswith(".pub"))
    )


def _device(path: str) -> str | None:
    if not path.startswith(("/dev", "/proc/self/fd")):
        return None
    for stream in STREAMS:
        if path == stream or path.startswith(stream + "/"):
            return "stream"
    if path.startswith(("/dev/tcp/", "/dev/udp/")):
        return "network"
    if path in ("/dev/mem", "/dev/kmem", "/dev/port"):
        return "disk"
    if path == "/dev" or path == "/dev/*":
        return "system"
    if path.startswith("/dev/shm"):
        return "temp" if path != "/dev/shm" else "temp-root"
    name = path[5:]
    if name.startswith(DISK_PREFIXES) or "*" in name or "?" in name:
        return "disk"
    group, slash, _ = name.partition("/")
    if slash and group not in DEVICE_DIRS:
        return "disk"
    return "device"


GUARD_DIRS = ("/.config/phocinae", "/.local/state/phocinae", "/.local/share/phocinae", "/.cache/phocinae")


def _access(path: str) -> str | None:
    if "/phocinae" in path and any(folder + "/" in path or path.endswith(folder) for folder in GUARD_DIRS):
        return "access"  # rules, approvals and the log of this very guard
    if not path.startswith("/etc/"):
        return None
    if "*" in path or "?" in path:
        for item in (*ACCESS_FILES, *VITAL_FILES):
            if glob_match(path, item) and path != "/etc/*":
                return "access"
    for item in ACCESS_FILES:
        if path == item or path.startswith((item + "/", item + ".", item + "-")):
            return "access"
    return None


def _temp(path: str) -> str | None:
    for base in ("/tmp", "/var/tmp", *MAC_TEMP):
        if path == base or path in (base + "/*", base + "/.*"):
            return "temp-root"
        if path.startswith(base + "/"):
            return "temp"
    return None


def _system(path: str) -> str:
    parts = path.split("/")
    top = parts[1]
    if path == "/" or top in ("*", ".*", "?*", "**"):
        return "root"
    if _secret(path) and not path.startswith(("/usr/share", "/usr/lib", "/etc/ssl/certs")):
        return "secret"
    if path in VITAL_FILES:
        return "vital"
    starts = _startup(path) if top != "tmp" else ""
    if starts:
        return starts
    if any(word in path for word in BACKUPS):
        return "backup"
    if path.startswith("/var/log"):
        return "log"
    if path.startswith(SYSTEM_CACHES):
        return "system-cache"
    if "*" in top or "?" in top or "[" in top:
        # `/us?/x` may be the system, `/*.pdf` can't.
        return "system" if any(glob_match(top, name) for name in (*SYSTEM, *SYSTEM_DATA)) else "elsewhere"
    if top in SYSTEM:
        return "system-local" if _is_local_setting(path, parts) else "system"
    if path.startswith(SERVICE_DATA) and not _is_lock(parts[-1]):
        return "service-data"
    if top in SYSTEM_DATA:
        return "system" if top in ("var", "run") and len(parts) == 2 else "system-data"
    return "elsewhere"


def _is_lock(name: str) -> bool:
    """Return whether a file only says that some program runs."""
    return name.startswith("lock") or name.endswith((".lock", ".pid", ".sock"))


def _is_local_setting(path: str, parts: list[str]) -> bool:
    """Return whether a system path is one that an administrator sets: a file of /etc, /usr/local, a kernel switch."""
    if path.startswith(("/sys/", "/proc/sys/")):
        return True
    if parts[1] == "etc":
        return len(parts) > 2 and not ("*" in parts[2] and len(parts) == 3)
    return parts[1] == "usr" and len(parts) > 3 and parts[2] in ("local", "share", "src")
