"""Names of calls in the scripting languages, each under the deed that `scriptcalls` records for it."""

from __future__ import annotations


def _table(text: str) -> dict[str, str]:
    """Return name -> deed for lines of a deed, a colon and names; an indented line goes on with the one above."""
    found: dict[str, str] = {}
    deed = ""
    for line in text.split("\n"):
        names = line
        if line and not line[0].isspace():
            deed, _, names = line.partition(":")
        for name in names.split():
            found[name] = deed
    return found


PERL = _table("""
b64: decode_base64 MIME.Base64.decode_base64
change-owner: chown
chmod-first: chmod
connect: IO.Socket.INET.new IO.Socket.INET IO.Socket.SSL Socket.new IO.Socket.SSL.new connect
cp: copy
delete: unlink
delete-tree: File.Path.rmtree File.Path.remove_tree rmtree remove_tree
download: getstore LWP.Simple.getstore mirror
eval: eval
fetch: get LWP.Simple.get
first: path
fork: fork
glob: glob
include: do require
kill: kill
listen: listen
ln: symlink link
mkdir: mkdir
mv: rename move
none: exit die warn
open: open
pack: pack
post: post
print: print say printf
rmdir: rmdir
run: system exec
shell: qx readpipe
write: sysopen truncate
""")

RUBY = _table("""
b64: Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64
change-owner: FileUtils.chown FileUtils.chown_R
chmod-first: FileUtils.chmod FileUtils.chmod_R File.chmod
connect: TCPSocket.new Socket.tcp TCPSocket.open UDPSocket.new
cp: FileUtils.cp FileUtils.cp_r FileUtils.copy
delete: File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.safe_unlink rm
delete-tree: FileUtils.rm_r FileUtils.rm_rf FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry
    FileUtils.remove_entry_secure rm_rf rm_r
eval: eval instance_eval class_eval Kernel.eval
expand: File.expand_path
fetch: Net.HTTP.get Net.HTTP.get_response URI.open OpenURI.open_uri HTTParty.get RestClient.get Faraday.get
first: URI.parse URI Pathname Pathname.new
fork: fork Process.fork
glob: Dir.glob
home: Dir.home
include: load require_relative
join: File.join
kill: Process.kill
listen: TCPServer.new TCPServer.open WEBrick.HTTPServer.new
ln: FileUtils.ln_s FileUtils.ln_sf File.symlink
mkdir: FileUtils.mkdir_p Dir.mkdir
mv: FileUtils.mv File.rename
open-mode: File.open File.new open Kernel.open
post: Net.HTTP.post Net.HTTP.post_form HTTParty.post RestClient.post Faraday.post
print: puts print p pp $stdout.puts STDOUT.puts
read: File.read IO.read File.readlines IO.readlines File.binread IO.foreach File.foreach
rmdir: Dir.delete Dir.rmdir Dir.unlink
run: system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn IO.popen Open3.capture2 Open3.capture2e
    Open3.capture3 Open3.popen3 Open3.popen2 Open3.pipeline PTY.spawn sh
stdin: STDIN.read $stdin.read ARGF.read gets STDIN.gets
touch: FileUtils.touch
write: File.write IO.write File.binwrite File.truncate
write-second: IO.copy_stream FileUtils.copy_stream
""")

NODE = _table("""
append: fs.appendFile fs.appendFileSync fs.promises.appendFile fs.promises.appendFileSync
b64: atob
buffer: Buffer.from Buffer
chars: String.fromCharCode
chmod-second: fs.chmod fs.chmodSync fs.promises.chmod fs.promises.chmodSync
connect: net.connect net.createConnection net.Socket tls.connect dgram.createSocket WebSocket
cp: fs.copyFile fs.copyFileSync fs.promises.copyFile fs.promises.copyFileSync fs.cp fs.cpSync fs.promises.cp
    fs.promises.cpSync
cwd: process.cwd
delete: fs.unlink fs.unlinkSync fs.promises.unlink fs.promises.unlinkSync
delete-if-options: fs.rmdir fs.rmdirSync fs.promises.rmdir fs.promises.rmdirSync
delete-tree: fs.rm fs.rmSync fs.promises.rm fs.promises.rmSync fs.removeSync fs.remove fs.emptyDirSync fs.emptyDir
    fs-extra.removeSync fs-extra.remove fs-extra.emptyDirSync rimraf rimraf.sync rimraf.rimrafSync del del.sync
    Deno.remove Deno.removeSync
eval: eval Function vm.runInThisContext vm.runInNewContext vm.runInContext
eval-text: setTimeout setInterval
env: Deno.env.get
fetch: axios.get http.get https.get dns.lookup dns.resolve dns.resolve4 dns.resolveTxt dns.promises.lookup
    dns.promises.resolve Deno.resolveDns
first: Bun.file unescape decodeURIComponent JSON.stringify
glob: glob.sync glob fg.sync fast-glob.sync
home: os.homedir
http-delete: axios.delete
include: child_process.fork
join: path.join path.resolve
kill-first: process.kill
listen: net.createServer
ln: fs.symlink fs.symlinkSync fs.promises.symlink fs.promises.symlinkSync
mkdir: fs.mkdir fs.mkdirSync fs.promises.mkdir fs.promises.mkdirSync
mv: fs.rename fs.renameSync fs.promises.rename fs.promises.renameSync Deno.rename
none: trash console.error process.exit process.chdir
open-mode: fs.openSync fs.open
post: axios.post axios.put axios.patch got.post request.post
print: console.log console.info
read: fs.readFile fs.readFileSync fs.promises.readFile fs.promises.readFileSync fs.createReadStream
    Deno.readTextFile Deno.readTextFileSync
request: fetch axios got http.request https.request node-fetch request
require: require import process.binding process.mainModule.require module.require global.process.mainModule.require
serve: http.createServer https.createServer
shell: child_process.exec child_process.execSync execSync exec execa.command shelljs.exec shell.exec zx.$ Bun.$ $
    execa.$
spawn: child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync spawn spawnSync
    execa execa.sync execaSync Bun.spawn Bun.spawnSync Deno.Command
tmp: os.tmpdir
unclear: Deno.run
write: fs.writeFile fs.writeFileSync fs.promises.writeFile fs.promises.writeFileSync fs.truncate fs.truncateSync
    fs.promises.truncate fs.promises.truncateSync fs.createWriteStream Bun.write Deno.writeTextFile
    Deno.writeTextFileSync Deno.writeFile
write-out: process.stdout.write
""")

PHP = _table("""
apply: call_user_func call_user_func_array
b64: base64_decode
chmod-second: chmod
chr: chr
context: stream_context_create
connect: fsockopen pfsockopen stream_socket_client socket_connect
cp: copy
curl-option: curl_setopt
delete: unlink
env: getenv
eval: eval create_function
eval-text: assert
fetch: curl_init
first: curl_exec urldecode
fork: pcntl_fork
glob: glob
hex: hex2bin
include: include include_once require require_once
kill-first: posix_kill
listen: stream_socket_server socket_bind
ln: symlink link
mail: mail
map: array_map array_walk
mkdir: mkdir
mv: rename
none: ftruncate tempnam die exit
open-mode: fopen
print: echo print printf var_dump print_r
read-or-fetch: file_get_contents readfile file
reverse: strrev
rmdir: rmdir
rot13: str_rot13
shell: system exec shell_exec passthru popen proc_open
spawn: pcntl_exec
sql-last: mysqli_query pg_query mysql_query sqlite_exec DB.statement DB.unprepared
touch: touch
unclear-text: gzinflate gzuncompress
write: file_put_contents
""")

LUA = _table("""
chars: string.char
connect: socket.connect socket.tcp
delete: os.remove
delete-tree: vim.fn.delete
env: os.getenv
eval: loadstring load
include: dofile loadfile
mv: os.rename
none: os.exit
open-mode: io.open
print: print
shell: os.execute io.popen vim.fn.system
stdin: io.read
tmp: os.tmpname
vim: vim.cmd
write: io.output
write-out: io.write
module: require
listen: socket.bind
""")

R = _table("""
chmod-first: Sys.chmod
cp: file.copy
delete: file.remove fs.file_delete
delete-tree: unlink file_delete fs.dir_delete
download: download.file
env: Sys.getenv
eval-parsed: eval
expand: path.expand
fetch: url httr.GET
glob: Sys.glob
install: install.packages BiocManager.install remotes.install_github devtools.install_github pak.pkg_install
join: file.path
kill-first: tools.pskill
mkdir: dir.create
mv: file.rename
named-text: parse
none: quit q
post: httr.POST POST
print: cat print
read-or-fetch: readLines readRDS read.csv
shell: system shell shell.exec pipe
source: source source_url devtools.source_url
system2: system2
uninstall: remove.packages
write: sink file.create
write-second: writeLines write write.csv write.table saveRDS
""")

PYTHON = _table("""
connect: socket.socket
delete: os.remove os.unlink
delete-tree: shutil.rmtree
eval: exec eval
fetch: requests.get urllib2.urlopen
fork-none: os.dup2
open-mode: open
post: requests.post
run: subprocess.call subprocess.run subprocess.Popen subprocess.check_call subprocess.check_output
shell: os.system os.popen
""")

METHODS = _table("""
concat-self: concat
connect: connect
delete: unlinkSync
delete-self: unlink
delete-tree: rmSync
delete-tree-self: rmtree remove_tree
fetch-url: get
from-peer: receive sysread readline gets recv
join-self: join
map-self: each forEach map
none: write listen
pack-self: pack
post-url: post put post_form patch request
reverse: reverse
run: system
self: read toString body to_s chomp strip trim text json content decoded_content split  on
shell: execSync
sql-method: exec query execute do prepare exec_query
unpack-self: unpack unpack1
unsure-method: delete
write-self: spew
then-self: then
pipe-self: pipe
send-peer: send sendall syswrite puts print
""")

TABLES = {"perl": PERL, "ruby": RUBY, "node": NODE, "php": PHP, "lua": LUA, "r": R, "python": PYTHON}
"""What a call does, by language and dotted name; METHODS by the name of a method alone."""

PHP_WORDS = "include include_once require require_once echo print eval"
BARE: dict[str, frozenset[str]] = {
    "perl": frozenset(PERL),
    "ruby": frozenset(RUBY) | {"require", "raise"},
    "php": frozenset(PHP_WORDS.split()),
}
"""Calls that need no brackets."""
