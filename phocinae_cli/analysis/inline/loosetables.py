"""Names of calls in languages that are only read loosely, by what they do: the last part, in lower case."""

from __future__ import annotations

from phocinae_cli.analysis.inline.wordlist import listed

STARTERS = frozenset(
    listed(
        "exec execute system shell cmd command commands popen processbuilder process process* system* run spawn sh "
        "run-program call-process call-process-shell-command call-process-region start-process "
        "start-process-shell-command start-file-process process-file make-process shell-command async-shell-command "
        "shell-command-to-string process-lines call-process-to-string shell_cmd system! shell! cmd! callprocess "
        "callcommand readprocess readcreateprocess spawnprocess spawncommand rawsystem open_port run-command execvp "
        "execv execve execl execlp create_process open_process open_process_in open-input-pipe open-output-pipe "
        "command commandcontext execcommand "
        "open-pipe open-pipe* shell-script do-script pipeline proc_open qx eshell-command invoke-shell xcall"
    )
)
"""What starts a program: with one text for a shell, or with a list of words."""
NAMED_FIRST = frozenset(("start-process", "start-file-process", "start-process-shell-command"))
"""Starters in front of whose command stand names of a process and a buffer."""
DELETES = frozenset(
    listed(
        "rm rm! unlink remove delete deleteifexists delete-file removefile remove_file file_delete deleteonexit "
        "removedirectory remove-file del_file deletefile file/delete delete_file io/delete-file"
    )
)
DELETES_TREE = frozenset(
    listed(
        "rm_rf rm_rf! rmtree delete-directory deletedirectory deletedir deleterecursively delete_recursive "
        "removedirectoryrecursive removepathforcibly delete-tree delete-directory-tree delete-directory/files "
        "remove_all remove-directory delete-dir del_dir_r rmdir rm-rf forcedelete removedirtree cleandirectory "
        "removeall remove_dir_all rmdir_all "
        "delete-directory-and-files rmtree! moveDirectoryToTrash"
    )
)
WRITES = frozenset(
    listed(
        "write write! spit write-region with-temp-file writestring writefile write_file writealltext writestringtofile "
        "call-with-output-file with-output-to-file display-to-file write-file append-to-file writelines outputstream "
        "filewriter printwriter fileoutputstream file/write"
    )
)
CONNECTS = frozenset(
    listed(
        "socket tcpsocket gen_tcp make-network-process open-network-stream socket-connect tcp-connect connect "
        "dial dialtcp dialtimeout dial_tcp "
        "socketchannel serversocket inetsocketaddress io.socket tcpstream net.socket open-tcp-stream"
    )
)
FETCHES = frozenset(
    listed(
        "url-retrieve-synchronously url-retrieve url-copy-file url-insert-file-contents slurp httpc.request http.get "
        "download get get! geturl openstream readstring fromurl simplehttp httpget url request urldownload toURL"
    )
)
SENDS = frozenset(
    listed("post post! put put! request send send! upload http.post postasync http-post url-retrieve puts print write")
)
EVALS = frozenset(
    listed(
        "eval eval-buffer eval-region eval_string eval_file eval-string load-string load-file load evaluate eval.me "
        "source include include_string evalfile compile_string loadstring read-eval"
    )
)
JOINS = frozenset(
    listed(
        "join joinpath paths.get path.of get of file expand-file-name file-name-concat concat build-path resolve "
        "filename:join io/file path-join catfile str expand"
    )
)
HOMES = frozenset(
    listed(
        "user_home user_home! homedir home user-homedir-pathname expanduser userhome gethomedirectory user_home_dir "
        "find-system-path"
    )
)
FOLDERS = frozenset(listed("cwd cwd! pwd getcwd getcurrentdirectory default-directory current-directory"))
HOME_NAMES = ("HOME", "USERPROFILE", "user.home")
CONCATS = frozenset(("&", "+", "<>", "++", "^", "*", "..", "~", "."))
BETWEEN = frozenset(("quoted", "form", "of", "POSIX", "path", "to", "the", "folder", "new", "as", "string"))
"""Words that AppleScript and Java write between the parts of a text."""
PURE = frozenset(
    listed(
        "args argv "
        "puts println print inspect say display displayln newline message format printf sprintf echo writeln "
        "write-line length size count map filter reduce foldl foldr sum product range join split trim upcase "
        "downcase upper lower uppercase lowercase reverse sort sorted uniq distinct max min abs sqrt sin cos tan "
        "exp log log2 log10 pi round floor ceil ceiling div mod rem pow expt even odd true false nil null t "
        "version emacs-version versioninfo char chars string int integer float double str show concat append first "
        "rest last head tail take drop zip enum list io math let letfn def val var do end fn lambda for in if then "
        "else when while of and or not to with title subtitle as sound name notification dialog alert buttons "
        "default button giving up after volume output input muted settings set get beep the clipboard date current "
        "time day year month now today using statistics linearalgebra mean median rand random randint disp zeros "
        "ones eye isprime prime factorial gcd lcm inc dec vec vector conj assoc keys vals plus minus times it "
        "print_endline print_string print_int string_of_int println! print! parse parsefloat parseint tostring "
        "to_string repeat pad substring contains starts_with ends_with replace typeof type class isa expr out "
        "system halt import return public static void"
    )
)
"""Names that compute, print or ask the person: a text with no others does nothing beside."""
JUDGED = (
    DELETES | DELETES_TREE | STARTERS | HOMES | FOLDERS | JOINS | BETWEEN
    | frozenset(("script", "shell", "force", "recursive", "with", "administrator", "privileges", "java", "lang"))
    | frozenset(("system", "runtime", "getruntime", "start", "waitfor", "halt", "import", "sys", "process", "text"))
    | frozenset(("tell", "application", "app"))
)  # fmt: skip
"""Names that are no reason for doubt once what they are called with has been judged."""
