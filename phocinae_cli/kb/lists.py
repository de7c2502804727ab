"""Names that many tools meet: what guards a machine, what it can't do without. `@NAME` in a pattern stands for a list.

Each name is a glob, and stands for a service, a process or a package alike.
"""

from __future__ import annotations

FIREWALLS = (
    "firewalld*", "ufw", "ufw.*", "gufw", "nftables*", "iptables*", "ip6tables*", "netfilter-persistent*", "shorewall*",
    "csf", "csf.*", "lfd", "lfd.*", "pf", "ipfw", "ipfilter", "ferm", "ferm.*", "apf", "apf-firewall", "arno-iptables*",
    "awall", "firehol*", "opensnitch*", "portmaster*", "pve-firewall*", "npf", "ipf", "firewall", "firewall.*",
)  # fmt: skip
WATCHERS = (
    "auditd*", "audit", "audit.*", "audit-rules*", "audispd*", "auditbeat*", "apparmor*", "selinux*", "fail2ban*",
    "sshguard*", "denyhosts*", "crowdsec*", "usbguard*", "fapolicyd*", "samhain*", "psad*", "tripwire*", "snort*",
    "suricata*", "zeek*", "falco", "falco-*", "falco.*", "falcosidekick*", "tetragon*", "tracee*", "kubearmor*",
    "sysmon*", "osquery*", "rsyslog*", "syslog*", "acct", "psacct*", "aide-*", "aidecheck*", "dailyaide*", "arpwatch*",
    "maldet*", "snoopy*",
)  # fmt: skip
AGENTS = (
    "falcon-*", "falconctl", "falcond*", "falcon.*", "crowdstrike*", "csfalcon*", "csagent*", "wazuh*", "ossec*",
    "mdatp*", "wdavdaemon*", "microsoft-defender*", "sentinelone*", "sentinelagent*", "sentinelctl*", "sentineld*",
    "cbdaemon*", "cbagent*", "cb-*", "cbdefense*", "carbonblack*", "cylance*", "elastic-agent*", "elastic-endpoint*",
    "elasticendpoint*", "esets*", "eset-*", "eea", "eea.*", "efs", "efs.*", "sophos*", "sav-*", "savd*", "xagt*",
    "ds_agent*", "ds-agent*", "ds_am*", "traps*", "cortex-agent*", "cortex-xdr*", "kesl*", "kess*", "kav4fs*",
    "klnagent*", "drweb*", "mfetpd*", "mfeespd*", "mcafee*", "bdsec*", "bitdefender*", "bdservice*", "avast*",
    "taniumclient*", "qualys-cloud-agent*", "ir_agent*", "lacework*", "threatstack*", "guardduty*",
    "amazon-guardduty*", "sysdig-agent*", "deepinstinct*", "fsma2*", "f-secure*", "withsecure*", "huntressagent*",
    "huntress*", "limacharlie*", "rphcpsvc*", "velociraptor*", "wdav",
)  # fmt: skip
SCANNERS = ("clamav*", "clamd*", "clamonacc*", "freshclam*", "aide", "aide.*", "rkhunter*", "chkrootkit*")

VENDORS = (
    "crowdstrike", "falcon", "sentinelone", "sophos", "carbonblack", "cylance", "symantec", "mcafee", "trellix",
    "trendmicro", "trend micro", "ds_agent", "eset", "wazuh", "ossec", "elastic/agent", "elastic/endpoint", "traps",
    "cortex", "f-secure", "withsecure", "kaspersky", "bitdefender", "avast", "mdatp", "defender", "santa", "osquery",
    "huntress", "malwarebytes", "jamf", "lacework", "qualys", "tanium", "drweb", "littlesnitch", "little snitch",
)  # fmt: skip
"""Whose folders hold programs that guard the machine, in lower case."""

STARTERS = (
    "vite", "vite-extra", "next-app", "react-app", "react-native-app", "react-router", "remix", "astro", "svelte",
    "sv", "nuxt", "nuxt-app", "vue", "solid", "qwik", "preact", "lit", "@lit", "electron-app",
    "@quick-start/electron", "electron-vite", "tauri-app", "expo", "expo-app", "t3-app", "turbo", "nx-workspace",
    "hono", "elysia", "fastify", "strapi", "strapi-app", "payload-app", "redwood-app", "gatsby", "docusaurus",
    "@vitejs/app", "@sveltejs", "@angular", "@eslint/config", "@tailwindcss", "rsbuild", "rspack", "rslib", "farm",
    "umi", "@umijs/umi", "wxt", "plasmo", "vitepress", "rspress", "slidev", "cloudflare", "wagmi", "eth-app",
    "contentlayer", "medusa-app", "keystone-app", "sanity", "jest", "playwright", "cypress", "tsrouter-app",
    "tanstack", "ionic", "@ionic/app", "medplum", "@shopify/app", "@shopify/hydrogen", "directus-project",
    "adonisjs", "adonis-ts-app", "koa", "ink-app", "catalyst", "liveblocks-app", "refine-app", "@tanstack/start",
)  # fmt: skip
"""What `npm create NAME` makes a project from: packages that everybody uses."""

LISTS: dict[str, tuple[str, ...]] = {
    "starters": (*STARTERS, *(f"{name}@*" for name in STARTERS)),
    "guards": (*FIREWALLS, *WATCHERS, *AGENTS, *SCANNERS),
    "guard-packages": tuple(
        name
        for name in (*FIREWALLS, *WATCHERS, *AGENTS)
        if not name.startswith(("iptables", "nftables", "ip6tables", "syslog"))
    ),
    "mac-guards": (
        "*com.apple.alf*", "*auditd*", "*xprotect*", "*XProtect*", "*com.apple.MRT*", "*falcon*", "*crowdstrike*",
        "*sentinel*", "*mdatp*", "*wdav*", "*microsoft.dlp*", "*jamf*", "*santa*", "*littlesnitch*",
        "*obdev*", "*lulu*", "*osquery*", "*carbonblack*", "*cbdefense*", "*endpointsecurity*",
        "*endpoint-security*", "*syspolicyd*",
        "*gatekeeper*", "*tccd*", "*socketfilterfw*", "*sophos*", "*wazuh*", "*ossec*", "*elastic.endpoint*",
        "*elastic-endpoint*", "*elastic-agent*", "*cylance*", "*paloaltonetworks*", "*trendmicro*", "*eset*",
        "*blockblock*", "*amfid*", "*kandji*", "*fleet*orbit*", "*pfctl*", "*com.apple.pf*", "*huntress*",
        "*bitdefender*", "*kaspersky*", "*malwarebytes*", "*syslogd*", "*securityd*",
    ),
    "ssh": (
        "ssh", "sshd", "ssh.service", "sshd.service", "ssh.socket", "sshd.socket", "dropbear", "dropbear.service",
    ),
    "vital-services": (
        "dbus*", "systemd-logind*", "systemd-udevd*", "init.scope", "-.mount", "systemd-journald*", "local-fs.target",
        "sysinit.target", "basic.target", "multi-user.target", "user.slice", "system.slice",
    ),
    "essential-packages": (
        "libc", "os-core", "baselayout*", "system-base",
        "libc6", "libc6:*", "libc-bin", "glibc", "glibc-*", "musl", "systemd", "systemd-sysv", "systemd-*", "init",
        "sysvinit*", "bash", "dash", "coreutils", "busybox", "sudo", "login", "passwd", "mount", "util-linux",
        "linux-image*", "linux-generic", "linux", "linux-lts", "linux-modules*", "^linux-image*", "^linux-modules*",
        "^linux-.*", "^linux-(*", "linux-(*", "linux-.*", "linux-\\**", "kernel", "kernel?", "kernel-*", "python3",
        "python3-minimal", "python3.??", "python3.?", "python3.??-minimal", "python", "libpython3*", "openssh-server",
        "openssh", "dpkg", "apt", "rpm", "dnf", "yum", "zypper", "pacman", "apk-tools", "portage", "perl-base", "grub*",
        "initramfs-tools", "udev", "base-files", "base", "filesystem", "network-manager", "NetworkManager",
        "netplan.io", "libpam*", "pam", "e2fsprogs", "openssl-libs", "ca-certificates-base", "shadow", "gcc-libs", "?",
        "?installed*", "~i", "~i*", "?essential*", "~E",
        "python3?", "libc6?", "bash?", "systemd?", "glibc?", "openssh-server?", "coreutils?", "sudo?",
    ),
}  # fmt: skip


def with_lists(text: str) -> str:
    """Return a pattern with every `@NAME` replaced by the names it stands for; raises KeyError for an unknown one.

    What stands in front of the `@` is put in front of each name: `*/@guards`.
    """
    if "@" not in text:
        return text
    return " ".join(_token(token) for token in text.split(" "))


def _token(token: str) -> str:
    mark = "!~" if token.startswith("!~") else "~" if token.startswith("~") else ""
    items: list[str] = []
    for item in token[len(mark) :].split("|"):
        before, at, name = item.rpartition("@")
        if at and name in LISTS:
            items.extend(before + each for each in LISTS[name])
        elif at and not before and name.replace("-", "").isalpha():
            raise KeyError(name)
        else:
            items.append(item)
    return mark + "|".join(items)
