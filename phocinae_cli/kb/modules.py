"""What the modules of configuration tools stand for: `ansible -m file -a 'path=P state=absent'` is `rm -rf P` there.

A line is `MODULES CONDITIONS -> WORDS`. MODULES are globs, `a|b`. A condition `key=GLOB|
  GLOB` holds if one of the
values matches, `key` if it is given, `!key` if it is not. WORDS are the argv; `{a|b}` is what the first of these keys
that is given is set to, each value a word of its own, and a line whose key is not given does not hold. `sh {a}`
alone is a text for the shell; `!KIND {a}` records an effect. `_` is the free text, `1` and `2` are
operands by their place. Every line that holds counts; one that starts with blanks goes on the line before.
"""

from __future__ import annotations

TRUE = "yes|true|True|on|1"
FALSE = "no|false|False|off|0"

ANSIBLE = f"""
command|shell|raw|win_command|expect|ansible.builtin.command -> sh {{_|cmd|command|argv}}
win_shell|win_powershell|psexec -> powershell {{_|cmd|script}}
script cmd|_=http* -> !run-remote-code {{_|cmd}}
at command -> sh {{command}}
cron|cronvar job -> sh {{job}}
file|win_file state=absent -> rm -rf {{path|dest|name}}
file mode !recurse -> chmod {{mode}} {{path|dest|name}}
file mode recurse={TRUE} -> chmod -R {{mode}} {{path|dest|name}}
file owner recurse={TRUE} -> chown -R {{owner}} {{path|dest|name}}
file state=link|hard -> !link {{path|dest|name}}
copy|template|win_copy|win_template|assemble dest -> !create {{dest}}
copy|template mode dest -> chmod {{mode}} {{dest}}
get_url dest url -> wget -O {{dest}} {{url}}
lineinfile|blockinfile !line !block !state path|dest|name -> !write {{path|dest|name}}
lineinfile line path|dest|name -> !append {{path|dest|name}}
blockinfile block path|dest|name -> !append {{path|dest|name}}
ini_file path|dest -> !write {{path|dest}}
uri url method -> curl -X {{method}} {{url}}
uri url !method -> curl {{url}}
synchronize delete={TRUE} dest -> rsync -a --delete {{src}} {{dest}}
service|systemd|systemd_service|sysvinit|runit|openrc|
  win_service state=stopped -> systemctl stop {{name|service}}
service|systemd|systemd_service|sysvinit|win_service enabled={FALSE} -> systemctl disable {{name|service}}
service|systemd|systemd_service|sysvinit state=restarted|reloaded -> systemctl restart {{name|service}}
systemd|systemd_service masked={TRUE} -> systemctl mask {{name|service}}
win_service start_mode=disabled -> systemctl disable {{name}}
reboot|win_reboot|shutdown -> reboot
selinux state=disabled|permissive -> setenforce 0
user|win_user state=absent remove={TRUE} -> userdel -r {{name}}
user|win_user state=absent -> userdel {{name}}
user non_unique={TRUE} uid=0 -> useradd -o -u 0 {{name}}
group state=absent -> groupdel {{name}}
authorized_key key=ssh-*|ecdsa-*|sk-*|http* -> !back-door {{user}}
sudoers nopassword={TRUE} -> !back-door {{name}}
sudoers !nopassword state=present -> !back-door {{name}}
apt|yum|dnf|dnf5|package|apk|pacman|zypper|homebrew|pkgng|portage|snap|flatpak|win_package|
  win_chocolatey state=absent|removed -> apt-get remove -y {{name|pkg|package}}
apt deb=http://* -> wget -O /tmp/x.deb {{deb}}
yum|dnf name=http://* -> !run-remote-code {{name}}
firewalld state=disabled permanent service=ssh|sshd -> !network-config {{service}}
ufw state=disabled -> ufw disable
ufw state=reset -> ufw --force reset
ufw policy|default=allow -> ufw default allow
ufw rule=allow proto=any port=any -> ufw default allow
iptables flush={TRUE} -> iptables -F
iptables policy=ACCEPT chain -> iptables -P {{chain}} ACCEPT
win_firewall state=disabled -> !security-off = the firewall
win_defender* state=absent|disabled -> !security-off = Defender
win_feature name=*Defender* state=absent -> !security-off = Defender
win_regedit path=*Defender*|*WindowsFirewall* data=0|1 -> !security-off {{path}}
mysql_db|postgresql_db|mongodb_db|mssql_db|influxdb_database|clickhouse_db|postgresql_schema|
  postgresql_tablespace|
  vertica_schema state=absent -> !db-destroy {{name|db|schema|database_name|tablespace}}
postgresql_table state=absent -> !db-destroy {{table|name}}
postgresql_table truncate={TRUE} -> !db-destroy {{table|name}}
mysql_query query -> mysql -e {{query}}
postgresql_query query -> psql -c {{query}}
postgresql_script path -> psql -f {{path}}
mssql_script script -> sqlcmd -Q {{script}}
mongodb_shell eval -> mongosh --eval {{eval}}
redis command=flush -> redis-cli flushall
elasticsearch_index|kibana_* state=absent -> !db-destroy {{name}}
filesystem state=absent|wiped dev|device -> wipefs -a {{dev|device}}
filesystem force={TRUE} -> mkfs -t {{fstype|type}} {{dev|device}}
parted state=absent number -> parted -s {{device}} rm {{number}}
parted label -> parted -s {{device}} mklabel {{label}}
lvol state=absent lv -> lvremove -f {{vg}}/{{lv}}
lvg state=absent -> vgremove -f {{vg}}
zfs state=absent -> zfs destroy -r {{name}}
zpool state=absent -> zpool destroy {{name}}
luks_device state=absent -> cryptsetup erase {{device}}
mount state=absent|unmounted -> umount {{path|name}}
docker_container|podman_container state=absent -> docker rm -f {{name}}
docker_container|podman_container state=stopped -> docker stop {{name}}
docker_volume|podman_volume state=absent -> docker volume rm {{name|volume_name}}
docker_stack state=absent -> docker stack rm {{name}}
docker_swarm_service state=absent -> docker service rm {{name}}
docker_swarm state=absent force={TRUE} -> docker swarm leave -f
docker_compose|docker_compose_v2 state=absent remove_volumes={TRUE} -> docker compose down -v
docker_compose|docker_compose_v2 state=absent -> docker compose down
docker_prune|podman_prune volumes={TRUE} -> docker volume prune -f
k8s|k8s_info|kubernetes state=absent -> kubectl delete {{kind}} {{name}}
k8s_drain -> kubectl drain {{name}}
k8s_scale replicas=0 -> kubectl scale --replicas=0 {{kind}} {{name}}
helm state=absent -> helm uninstall {{name|release_name}}
terraform state=absent -> terraform destroy
git_config|git state=absent -> rm -rf {{dest}}
hostname|timezone|sysctl|modprobe|alternatives name -> !system-config {{name}}
proxmox|proxmox_kvm|vmware_guest|virt|libvirt|lxd_container|ovirt_vm state=absent|destroyed|
  undefined -> !container-destroy {{name|vmid}}
ec2_instance|ec2|ec2_vol|ec2_snapshot|ec2_ami|ec2_vpc_net|rds_instance|rds_cluster|
  rds_instance_snapshot|dynamodb_table|s3_bucket|efs|elasticache|redshift|cloudformation|eks_cluster|
  kms_key|cloudtrail state=absent|
  terminated -> !cloud-destroy {{name|instance_ids|id|db_instance_identifier|stack_name|bucket}}
gcp_*|azure_rm_*|os_*|openstack*|digital_ocean*|hcloud_*|linode*|vultr_*|scaleway_*|oci_*|
  ibm_* state=absent|terminated -> !cloud-destroy {{name|id}}
route53_zone|cloudflare_zone state=absent -> !cloud-destroy {{zone}}
s3_object|aws_s3 mode=delete -> !cloud-destroy {{bucket}}
"""

ANSIBLE_READS = (
    "ping", "win_ping", "setup", "gather_facts", "debug", "stat", "win_stat", "assert", "fail", "find", "win_find",
    "getent", "package_facts", "service_facts", "set_fact", "set_stats", "include_vars", "wait_for", "pause", "meta",
    "wait_for_connection", "group_by", "add_host", "*_info", "*_facts", "validate_argument_spec", "setup",
    "win_whoami", "ping6",
)  # fmt: skip
ANSIBLE_WHOLE = ("command", "shell", "raw", "win_command", "win_shell", "uri", "mysql_query", "postgresql_query")
"""Modules that do what their line says and nothing besides."""

SALT = """
cmd.run|cmd.shell|cmd.run_all|cmd.run_stdout|cmd.run_stderr|cmd.retcode|cmd.run_bg|cmd.exec_code_all|
  cmdmod.run -> sh {1|cmd}
cmd.script 1=http://*|https://*|ftp://* -> !run-remote-code {1}
cmd.powershell -> powershell {1|cmd}
system.poweroff|system.halt|system.shutdown|system.init -> poweroff
system.reboot -> reboot
service.stop|systemd_service.stop -> systemctl stop {1|name}
service.disable|service.disabled -> systemctl disable {1|name}
service.mask|service.masked -> systemctl mask {1|name}
service.restart|service.reload|service.start|service.enable -> systemctl restart {1|name}
file.remove|file.absent -> rm -rf {1|path|name}
file.rmdir -> rmdir {1|path}
file.truncate -> !overwrite {1|path}
file.write -> !overwrite {1|path}
file.append -> !append {1|path}
file.set_mode -> chmod {2|mode} {1|path}
file.chown -> chown {2|user} {1|path}
file.copy|file.rename|file.move|file.symlink|file.link|cp.get_file|cp.get_template|
  cp.get_dir -> !create {2|dst|dest}
cp.get_url -> wget -O {2|dest} {1|path}
cp.push -> !send {1|path}
pkg.remove|pkg.purge|aptpkg.remove|yumpkg.remove -> apt-get remove -y {1|name|pkgs}
user.delete remove=True|true -> userdel -r {1|name}
user.delete -> userdel {1|name}
group.delete -> groupdel {1|name}
ssh.set_auth_key|ssh.set_auth_key_from_file -> !back-door {1|user}
shadow.set_password|shadow.del_password -> !account {1|name}
selinux.setenforce 1=*ermissive|0 -> setenforce 0
iptables.flush|nftables.flush -> iptables -F
iptables.set_policy 3=ACCEPT -> iptables -P {2} ACCEPT
firewall.disable|win_firewall.disable|ufw.disable -> !security-off = the firewall
mysql.db_remove|postgres.db_remove|mongodb.db_remove|mssql.db_remove|influxdb.drop_db|
  influxdb.db_remove|cassandra*.drop_keyspace -> !db-destroy {1|name}
mysql.query -> mysql -e {2|query}
postgres.psql_query -> psql -c {1|query}
redis.flushall|redis.flushdb -> redis-cli flushall
disk.format_|disk.format|extfs.mkfs|xfs.mkfs|btrfs.mkfs -> mkfs {1|device}
disk.wipe -> wipefs -a {1|device}
lvm.lvremove -> lvremove -f {2}/{1}
lvm.vgremove -> vgremove -f {1}
lvm.pvremove -> pvremove {1}
partition.rm -> parted -s {1} rm {2}
partition.mklabel -> parted -s {1} mklabel {2}
zfs.destroy -> zfs destroy -r {1}
zpool.destroy -> zpool destroy {1}
cron.set_job -> sh {7|cmd}
cron.rm_job|cron.raw_cron -> !change {1}
virt.purge|virt.undefine|lxc.destroy|nspawn.remove|vboxmanage.destroy -> !container-destroy {1}
docker.rm|docker.rm_|dockerng.rm|docker.stop|docker.kill -> docker rm -f {1}
docker.remove_volume -> docker volume rm {1}
docker.prune volumes=True -> docker volume prune -f
ps.kill_pid -> kill {1}
ps.pkill -> pkill {1}
hosts.set_host|hosts.add_host -> !network-config {1}
kubernetes.delete_namespace -> !cluster-destroy {1}
boto_*.delete|boto_*.terminate|boto_*.delete_* -> !cloud-destroy {1|name}
saltutil.wheel 1=key.delete -> !account {2}
"""

SALT_READS = (
    "test.*", "grains.get", "grains.item", "grains.items", "grains.ls", "grains.has_value", "grains.fetch",
    "pillar.get", "pillar.item", "pillar.items", "pillar.ls", "pillar.keys", "pillar.raw", "status.*", "network.*",
    "disk.usage", "disk.inodeusage", "disk.percent", "disk.blkid", "*.list", "*.list_*", "*.get_*", "*.show",
    "*.show_*", "*.info", "*.info_*", "*.status", "*.version", "*.is_*", "*.exists", "*.find_job", "*.running",
    "*.finger", "sys.*", "match.*", "ps.top", "ps.cpu_percent", "ps.*_memory*", "ps.disk_*", "ps.num_cpus",
    "ps.psaux", "ps.pgrep", "ps.users", "cmd.which", "cmd.which_bin", "cmd.has_exec", "cmd.shells", "file.*_exists",
    "file.stats", "file.read", "file.readdir", "file.get_*", "file.grep", "file.search", "file.contains*",
    "file.check_*", "file.access", "pkg.latest_version", "pkg.available_version", "pkg.upgrade_available",
    "pkg.verify", "service.available", "service.missing", "service.enabled", "service.get_all", "user.primary_group",
    "state.show_*", "state.running", "mine.get", "mine.valid", "schedule.list", "hosts.get_*", "mount.active",
    "mount.fstab", "mount.swaps", "timezone.get*", "config.get", "config.option", "config.items", "key.finger*",
    "manage.*", "jobs.list*", "jobs.lookup*", "jobs.active", "cp.list*", "cp.hash_file", "locale.get*", "kmod.lsmod",
    "sysctl.get", "sysctl.show", "hashutil.*", "at.atq", "cron.ls", "environ.get", "environ.item", "environ.items",
    "system.get_*", "smbios.*", "data.get", "lvm.pvdisplay", "lvm.vgdisplay", "lvm.lvdisplay", "zpool.list",
    "zfs.list", "docker.ps", "docker.inspect*", "docker.logs", "docker.images",
)  # fmt: skip
SALT_WHOLE = ("cmd.run", "cmd.shell", "cmd.run_all", "cmd.run_stdout", "cmd.run_stderr", "cmd.retcode", "mysql.query")

RESOURCES = f"""
exec|execute|bash|script|cmd -> sh {{command|code|title}}
cron command -> sh {{command}}
service|systemd_unit|windows_service ensure|action=stopped|stop|false|*:stop* -> systemctl stop {{name|title}}
service|systemd_unit|windows_service enable={FALSE}|mask|manual -> systemctl disable {{name|title}}
service|systemd_unit|windows_service action=disable|*:disable*|mask|
  *:mask* -> systemctl disable {{name|title}}
package|apt_package|yum_package|dnf_package ensure|action=absent|purged|remove|purge|uninstall|
  *:remove*|*:purge* -> apt-get remove -y {{name|title}}
file|directory|link|template|cookbook_file|remote_file ensure|action=absent|delete|
  *:delete* -> rm -rf {{path|title}}
tidy -> rm -rf {{path|title}}
file|template|cookbook_file ensure=present|file -> !create {{path|title}}
file|template|cookbook_file content -> !create {{path|title}}
file|directory mode -> chmod {{mode}} {{path|title}}
file owner recurse={TRUE} -> chown -R {{owner}} {{path|title}}
user ensure|action=absent|remove|*:remove* -> userdel {{name|title}}
user uid=0 -> useradd -o -u 0 {{name|title}}
group ensure|action=absent|remove|*:remove* -> groupdel {{name|title}}
ssh_authorized_key|ssh_authorized_keys key -> !back-door {{user|title}}
sudo|sudo::conf content|commands|nopasswd -> !back-door {{title}}
mount ensure|action=absent|unmounted|umount -> umount {{name|title}}
reboot -> reboot
firewall ensure=absent -> !network-config {{title}}
firewallchain purge={TRUE} -> !security-off {{title}}
selinux_state|selinux mode|action=disabled|permissive|*:disabled*|*:permissive* -> setenforce 0
mysql_database|postgresql_database|mysql::db|
  postgresql::server::database ensure=absent -> !db-destroy {{name|title}}
logical_volume ensure=absent -> lvremove -f {{name|title}}
volume_group ensure=absent -> vgremove -f {{name|title}}
filesystem ensure -> !format {{name|title}}
docker::container|docker_container|docker::run ensure|action=absent|delete|
  *:delete* -> docker rm -f {{name|title}}
docker_volume ensure=absent -> docker volume rm {{name|title}}
zfs ensure=absent -> zfs destroy -r {{name|title}}
zpool ensure=absent -> zpool destroy {{name|title}}
ec2_instance|rds_instance|s3_bucket ensure=absent -> !cloud-destroy {{title}}
"""
"""Resources of puppet, chef and bolt: the type, the title and what is declared of it."""
