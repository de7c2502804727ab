"""PowerShell and cmd: loaded only for those shells, never on the check path of a POSIX line."""
