# The phocinae hook for fish 3.4 and later. Enter is bound to a function that has the line judged and executes it only
# then: the fish_preexec event can't stop anything. fish can neither limit the time of a read nor open a pipe both ways,
# so each line is checked by a process of its own, which ends by itself when it takes too long.
#
# This file carries the line out and an answer back; all judgement is in Python.

set -g __phocinae_python @python@
set -g __phocinae_run @run@
set -g __phocinae_hook @version@

function __phocinae_enter --description 'Has the line judged, and executes it only if it may run'
    set -l line (commandline --current-buffer | string collect)
    if commandline --paging-mode; or string match --quiet --regex '^\s*$' -- "$line"; or set -q PHOCINAE_OFF[1]; and test -n "$PHOCINAE_OFF"
        commandline -f execute
        return
    end
    if contains -- (string trim -- "$line" | string collect) exit phocinae_off 'set -g PHOCINAE_OFF 1' 'set -gx PHOCINAE_OFF 1'
        commandline -f execute
        return
    end
    # Unfinished: Enter only adds a line. Broken: fish says so and runs nothing.
    commandline --is-valid
    if contains -- $status 1 2
        commandline -f execute
        return
    end
    set -l fields (__phocinae_fields $line | string split0)
    set -l answer (__phocinae_ask check $fields)
    set -l head (string split ' ' -- $answer[1])
    set -l message $answer[2..]
    switch "$head[2]"
        case allow
            if set -q message[1]; and test -n "$message[1]"
                echo
                printf '%s\n' $message
                commandline -f repaint
            end
            commandline -f execute
            return
        case deny
            echo
            printf '%s\n' $message
            __phocinae_drop $line
            return
        case ask
            echo
            printf '%s\n' $message
            set head $head[4]
        case '*'
            echo
            echo 'phocinae: this line could not be checked; `phocinae doctor` finds out why'
            set head yneo
    end
    __phocinae_question $line $head $fields
end

# One question; only y lets the line run once. What was typed ahead can't be told apart from an answer in here, so an
# answer counts only when it comes after a moment of quiet: see __phocinae_key.
function __phocinae_question --argument-names line keys
    set -l fields $argv[3..]
    while true
        set -l key (__phocinae_key (__phocinae_offer $keys))
        string match --quiet -- "*$key*" yY$keys; and test -n "$key"; or set key n
        switch $key
            case y Y
                commandline -f repaint
                commandline -f execute
                return
            case e
                commandline -f repaint
                return
            case o
                phocinae_off
                commandline -f repaint
                return
            case a p
                set -l verb approve
                test $key = p; and set verb program
                set -l answer (__phocinae_ask $verb $fields)
                printf '%s\n' $answer[2..]
                if string match --quiet -- '* done *' $answer[1]
                    commandline -f repaint
                    commandline -f execute
                    return
                end
            case '\?'
                set -l answer (__phocinae_ask explain $fields)
                printf '%s\n' $answer[2..]
            case '*'
                __phocinae_drop $line
                return
        end
    end
end

function __phocinae_key --argument-names prompt
    set -l key
    # A process that reads without waiting takes what is pending: fish itself has nothing for that.
    command $__phocinae_python -I -S -c 'import termios; termios.tcflush(open("/dev/tty"), termios.TCIFLUSH)' 2>/dev/null
    read --nchars 1 --prompt-str $prompt key </dev/tty
    or set key n
    echo $key
end

function __phocinae_offer --argument-names keys
    set -l words '[y]es once' '[N]o'
    string match --quiet '*a*' -- $keys; and set -a words '[a]lways here'
    string match --quiet '*p*' -- $keys; and set -a words '[p]rogram always'
    string match --quiet '*e*' -- $keys; and set -a words '[e]dit'
    string match --quiet '*o*' -- $keys; and set -a words 'hook [o]ff'
    string match --quiet '*\?*' -- $keys; and set -a words '[?] why'
    echo "run it? "(string join ', ' $words)": "
end

# The line does not run. The history keeps it, as a line that was typed.
function __phocinae_drop --argument-names line
    # Executing the emptied line leaves vi command mode and drops the undo list, which could bring the line back.
    commandline --replace ''
    commandline -f execute
end

# What the line is and what it names: fields that are a letter and its text, each ended by a NUL.
function __phocinae_fields --argument-names __phocinae_line
    printf '%s\0' sfish h$__phocinae_hook w$COLUMNS c$PWD d$HOME t$__phocinae_line
    set -q NO_COLOR[1]; and test -n "$NO_COLOR"; or test "$TERM" = dumb; or printf 'ocolor\0'
    set -l __phocinae_seen
    for __phocinae_word in (string match --all --regex '[A-Za-z0-9_.+:@%-]+' -- $__phocinae_line)
        contains -- $__phocinae_word $__phocinae_seen; and continue
        set -a __phocinae_seen $__phocinae_word
        test (count $__phocinae_seen) -gt 100; and return
        if functions --query -- $__phocinae_word
            # Those that fish brings along are part of fish, not of the line.
            set -l __phocinae_file (functions --details -- $__phocinae_word)
            string match --quiet -- "$__fish_data_dir/*" $__phocinae_file; and continue
            string match --quiet -- "embedded:*" $__phocinae_file; and continue
            printf 'f%s=%s\0' $__phocinae_word (functions -- $__phocinae_word | string collect)
        end
    end
    for __phocinae_name in (string match --all --regex '(?<=\$)[A-Za-z_][A-Za-z0-9_]*' -- $__phocinae_line)
        contains -- \$$__phocinae_name $__phocinae_seen; and continue
        set -a __phocinae_seen \$$__phocinae_name
        set -q $__phocinae_name; and test (count $$__phocinae_name) -eq 1; and printf 'v%s=%s\0' $__phocinae_name $$__phocinae_name
    end
end

function __phocinae_ask --argument-names verb
    printf '%s\0' $argv[2..] | command $__phocinae_python -I -S $__phocinae_run words $verb 2>/dev/null | string replace --all \r ''
end

function phocinae_off --description 'Takes the phocinae hook out of this shell'
    functions --erase __phocinae_bind
    for mode in default insert visual
        bind --mode $mode \r execute
        bind --mode $mode \n execute
    end
    set -g __phocinae_on ''
end

if status is-interactive; and not set -q __phocinae_on
    set -g __phocinae_on yes
    # vi bindings are set late and would take Enter back, so it is looked after at every prompt.
    function __phocinae_bind --on-event fish_prompt
        set -l next # in vi mode Enter goes back to insert mode
        test "$fish_key_bindings" = fish_default_key_bindings; or set next --sets-mode insert
        for mode in default insert visual
            bind --mode $mode $next \r 'commandline -f expand-abbr' __phocinae_enter
            bind --mode $mode $next \n 'commandline -f expand-abbr' __phocinae_enter
        end
    end
    complete --command phocinae --no-files --arguments '(env _PHOCINAE_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=get-args _TYPER_COMPLETE_ARGS=(commandline -cp) phocinae 2>/dev/null)'
end
