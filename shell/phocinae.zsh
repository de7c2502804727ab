# The phocinae hook for zsh 5.3 and later. `preexec` is told the whole line after history and alias expansion and before
# any part of it runs; a line that must not run is halted there by an interrupt. No widget is wrapped and no key is bound.
#
# This file carries the line out and an answer back; all judgement is in Python. It may be read under other options than
# zsh's own (`emulate ksh` in an rc file), so patterns are written in a way that parses under all of them.

typeset -g __phocinae_python=@python@
typeset -g __phocinae_run=@run@
typeset -g __phocinae_hook=@version@

# $1 is the line as typed, after history expansion (empty without history); $3 is what will run, aliases expanded.
__phocinae_preexec() {
    \builtin emulate -L zsh # holds for all that is called from here
    \builtin setopt noxtrace
    \builtin local __phocinae_verdict=unknown __phocinae_message= __phocinae_keys= __phocinae_mark= __phocinae_why=
    case $1 in
        exit | logout) \builtin return 0 ;;
        phocinae_off | PHOCINAE_OFF=1 | 'export PHOCINAE_OFF=1')
            __phocinae_drain # a paste must not switch the hook off for the lines behind
            \builtin return 0
            ;;
    esac
    [[ -z ${PHOCINAE_OFF-} && -n $__phocinae_on ]] || \builtin return 0
    # A pasted block comes here once for each of its commands, each time with the same $1: one answer is enough.
    [[ -z $__phocinae_passed || $1$'\n'$3 != $__phocinae_passed ]] || \builtin return 0
    # An error of ours in there leaves the verdict unknown, and asks.
    {
        __phocinae_pack "$1" "$3"
        __phocinae_query check
    } always {
        if ((TRY_BLOCK_ERROR)); then
            __phocinae_verdict=unknown __phocinae_why='the hook failed'
            TRY_BLOCK_ERROR=0
        fi
    }
    case $__phocinae_verdict in
        allow)
            [[ -z $__phocinae_message ]] || __phocinae_say $__phocinae_message
            \builtin return 0
            ;;
        deny)
            __phocinae_say $__phocinae_message
            __phocinae_drain
            ;;
        *) __phocinae_question "$1" "$3" ;;
    esac
    if [[ $__phocinae_verdict == allow ]]; then
        __phocinae_passed=$1$'\n'$3
        \builtin return 0
    fi
    __phocinae_halt
}

# Interrupts ourselves, as Ctrl-C would. A trap of the person's could swallow it, so there is none for this moment:
# `localtraps` brings both kinds back when the function ends.
__phocinae_halt() {
    \builtin emulate -L zsh
    \builtin setopt localtraps noxtrace
    \builtin trap - INT
    \builtin unfunction TRAPINT 2>/dev/null
    \builtin kill -INT $$
}

__phocinae_precmd() {
    \builtin emulate -L zsh
    \builtin setopt noxtrace
    __phocinae_passed=
    # First in the list: nothing of anybody else's should run for a line that is stopped.
    [[ ${preexec_functions[1]-} == __phocinae_preexec ]] ||
        preexec_functions=(__phocinae_preexec ${preexec_functions:#__phocinae_preexec})
}

# --- what goes out ---------------------------------------------------------------------------------------------------

# Puts the text and what it names into __phocinae_body: counted fields, a letter, a length in bytes, a colon, the bytes.
__phocinae_pack() {
    \builtin setopt localoptions nomultibyte # lengths are in bytes
    __phocinae_body="s3:zshh${#__phocinae_hook}:${__phocinae_hook}w${#COLUMNS}:${COLUMNS}c${#PWD}:${PWD}d${#HOME}:${HOME-}"
    __phocinae_field t "$1"
    [[ $2 == $1 ]] || __phocinae_field x "$2"
    [[ -n ${NO_COLOR-} || ${TERM-} == dumb ]] || __phocinae_field o color
    [[ -o interactivecomments ]] || __phocinae_field o nocomments
    __phocinae_around "$1"$'\n'"$2"
    if ((${#__phocinae_body} > 32000)); then __phocinae_large=yes; else __phocinae_large=; fi
}

__phocinae_field() { __phocinae_body+="$1${#2}:$2"; }

# Adds the aliases, functions and variables that a text names, and those that they name in turn.
__phocinae_around() {
    \builtin local __phocinae_text __phocinae_word __phocinae_name
    \builtin local -a __phocinae_todo
    \builtin local -A __phocinae_seen
    \builtin local -i __phocinae_turn=1 __phocinae_left=400
    __phocinae_todo=("$1")
    while ((__phocinae_turn <= $#__phocinae_todo && __phocinae_turn <= 24)); do
        __phocinae_text=$__phocinae_todo[__phocinae_turn]
        ((__phocinae_turn += 1))
        # Beyond this size what the text names stays unknown, which asks: a line of that length is no everyday line.
        (($#__phocinae_text <= 16000)) || continue
        for __phocinae_word in ${=__phocinae_text//[^a-zA-Z0-9_.,%+:\/~@-]/ }; do
            [[ $__phocinae_word != -* && -z ${__phocinae_seen[$__phocinae_word]-} ]] || continue
            ((__phocinae_left-- > 0)) || \builtin return 0
            __phocinae_seen[$__phocinae_word]=1
            if ((${+aliases[$__phocinae_word]})); then
                __phocinae_field a "$__phocinae_word=${aliases[$__phocinae_word]}"
                __phocinae_todo+=("${aliases[$__phocinae_word]}")
            fi
            if ((${+functions[$__phocinae_word]})); then
                __phocinae_field f "$__phocinae_word=${functions[$__phocinae_word]}"
                __phocinae_todo+=("${functions[$__phocinae_word]}")
            fi
        done
        while [[ $__phocinae_text == *'$'* ]]; do
            ((__phocinae_left-- > 0)) || \builtin return 0
            __phocinae_text=${__phocinae_text#*\$}
            __phocinae_name=${__phocinae_text#\{}
            __phocinae_name=${__phocinae_name#[#!]}
            __phocinae_name=${__phocinae_name%%[^A-Za-z0-9_]*}
            # Not those that change when they are read, nor those that mean something else in here.
            case $__phocinae_name in
                '' | [0-9]* | _ | __phocinae_* | argv | status | pipestatus | options | functrace | funcstack | RANDOM | SECONDS | EPOCH* | LINENO | TRY_BLOCK_*) continue ;;
            esac
            [[ -z ${__phocinae_seen[\$$__phocinae_name]-} ]] || continue
            __phocinae_seen[\$$__phocinae_name]=1
            [[ ${(Pt)__phocinae_name} == scalar* || ${(Pt)__phocinae_name} == integer* ]] || continue
            __phocinae_word=${(P)__phocinae_name}
            (($#__phocinae_word > 2000)) || __phocinae_field v "$__phocinae_name=$__phocinae_word"
        done
    done
}

# --- the answer ------------------------------------------------------------------------------------------------------

# Sends a verb (check, explain, approve, program) with the body: to the worker, else to a process of its own, else unknown.
__phocinae_query() {
    __phocinae_verdict= __phocinae_message= __phocinae_keys= __phocinae_mark=
    if [[ -z $__phocinae_large ]] && ((SECONDS >= __phocinae_resume)); then
        if __phocinae_worker $1; then
            __phocinae_fails=0
            \builtin return
        fi
        if ((++__phocinae_fails >= 3)); then
            __phocinae_fails=0 __phocinae_resume=$((SECONDS + 60))
            __phocinae_say $'phocinae: the worker does not answer; for a minute each line is checked by a process of its own\n'
        fi
    fi
    __phocinae_once $1 && \builtin return
    __phocinae_why='no answer within the time allowed; `phocinae doctor` finds out why'
    if [[ ! -x $__phocinae_python || ! -r $__phocinae_run ]]; then
        __phocinae_why="$__phocinae_python or $__phocinae_run is gone: install phocinae again, then run \`phocinae install\`"
    fi
    __phocinae_verdict=unknown
}

# Asks the worker, which is started here when there is none. Returns 1 when no usable answer came in time.
__phocinae_worker() {
    \builtin setopt localoptions nomultibyte # lengths are in bytes
    \builtin local __phocinae_limit=0.8 __phocinae_out= __phocinae_in=
    \builtin local -i __phocinae_failed=1
    if [[ -z $__phocinae_pid ]] || ! \builtin kill -0 $__phocinae_pid 2>/dev/null; then
        __phocinae_start || \builtin return 1
        __phocinae_limit=0.5
    fi
    ((__phocinae_id += 1))
    {
        # Open for this one check only and closed to children; both ways, so that nothing blocks and nobody gets SIGPIPE.
        if ((${+builtins[sysopen]})); then
            \builtin sysopen -rw -o cloexec -u __phocinae_out $__phocinae_dir/q 2>/dev/null &&
                \builtin sysopen -rw -o cloexec -u __phocinae_in $__phocinae_dir/r 2>/dev/null || \builtin return 1
        else
            \exec {__phocinae_out}<>$__phocinae_dir/q {__phocinae_in}<>$__phocinae_dir/r || \builtin return 1
        fi
        __phocinae_exchange $1 && __phocinae_failed=0
    } always {
        [[ -z $__phocinae_out ]] || \exec {__phocinae_out}>&-
        [[ -z $__phocinae_in ]] || \exec {__phocinae_in}>&-
        # An answer that comes late must not meet a later question: this pair of pipes is not used again.
        if ((__phocinae_failed)); then
            \builtin kill -KILL $__phocinae_pid 2>/dev/null
            __phocinae_pid=
        fi
    }
    \builtin return $__phocinae_failed
}

__phocinae_exchange() {
    \builtin local __phocinae_got __phocinae_word __phocinae_size __phocinae_turn
    \builtin printf '%s %s %s\n%s' $__phocinae_id $1 $#__phocinae_body "$__phocinae_body" >&$__phocinae_out
    for __phocinae_turn in 1 2 3 4 5 6 7 8; do
        IFS=' ' \builtin read -r -t $__phocinae_limit -u $__phocinae_in __phocinae_got __phocinae_word __phocinae_size __phocinae_keys __phocinae_mark || \builtin return 1
        case $__phocinae_size in '' | *[^0-9]* | ???????*) \builtin return 1 ;; esac
        __phocinae_message=
        if ((__phocinae_size)); then
            \builtin read -r -k $__phocinae_size -t $__phocinae_limit -u $__phocinae_in __phocinae_message || \builtin return 1
        fi
        [[ $__phocinae_got == $__phocinae_id ]] || continue
        __phocinae_take $__phocinae_word
        \builtin return
    done
    \builtin return 1
}

# Only the exact words count.
__phocinae_take() {
    case ${1-} in
        allow | ask | deny | done | failed) __phocinae_verdict=$1 ;;
        *) \builtin return 1 ;;
    esac
}

# Starts a worker and waits until it is ready, has failed, or half a second has gone by. It tells its number and directory.
# All in a subshell: no entry in `jobs`, and $! stays what it was.
__phocinae_start() {
    \builtin local __phocinae_line
    __phocinae_pid= __phocinae_dir=
    __phocinae_line=$(
        \builtin setopt nomonitor
        \builtin trap '' INT HUP QUIT TSTP TTIN TTOU
        # In the background even there: zsh waits for a process substitution to end, however long that takes.
        IFS= \builtin read -r -t 0.5 __phocinae_line < <(
            { \exec -- $__phocinae_python -I -S $__phocinae_run worker $__phocinae_base $$ </dev/null 2>/dev/null & }
        )
        \builtin print -rn -- $__phocinae_line
    ) 2>/dev/null
    __phocinae_dir=${__phocinae_line#* }
    case ${__phocinae_line%% *} in '' | *[^0-9]*) \builtin return 1 ;; esac
    __phocinae_pid=${__phocinae_line%% *}
}

# The same question to a process of its own: for what is too long for a pipe, and when there is no worker.
__phocinae_once() {
    \builtin setopt localoptions nomultibyte # lengths are in bytes
    \builtin local __phocinae_line __phocinae_got __phocinae_word __phocinae_size
    __phocinae_line=$(
        \builtin setopt nomonitor
        IFS= \builtin read -r -d '' -t 1.1 __phocinae_line < <(
            { \builtin print -rn -- "$__phocinae_body" | \exec -- $__phocinae_python -I -S $__phocinae_run once $1 2>/dev/null & }
        )
        \builtin print -rn -- "$__phocinae_line."
    ) 2>/dev/null
    __phocinae_line=${__phocinae_line%.}
    IFS=' ' \builtin read -r __phocinae_got __phocinae_word __phocinae_size __phocinae_keys __phocinae_mark <<<${__phocinae_line%%$'\n'*}
    __phocinae_message=${__phocinae_line#*$'\n'}
    [[ $__phocinae_got == 0 && $#__phocinae_message == $__phocinae_size ]] && __phocinae_take $__phocinae_word
}

# --- the terminal ----------------------------------------------------------------------------------------------------

# Everything for the eye goes to the terminal, whatever stdout is.
__phocinae_say() { { \builtin print -rn -- $1 >${TTY:-/dev/tty}; } 2>/dev/null; }

# Takes what is waiting, so that it can't answer a question or run: until nothing came for a moment.
__phocinae_drain() {
    \builtin local __phocinae_key
    while \builtin read -r -s -k 1 -t 0.05 __phocinae_key; do :; done 2>/dev/null
    \builtin return 0
}

# Shows the message and takes one key. Only y lets the line run once; anything that is no key here is a no.
__phocinae_question() {
    # Ctrl-C is a no, at once. With a trap of the person's `read` would only go on waiting.
    \builtin setopt localoptions localtraps
    \builtin trap - INT
    \builtin unfunction TRAPINT 2>/dev/null
    \builtin local __phocinae_key __phocinae_offered=$__phocinae_keys
    if [[ $__phocinae_verdict == unknown ]]; then
        __phocinae_say "phocinae: this line could not be checked: $__phocinae_why"$'\n'
        __phocinae_offered=yneo
    else
        __phocinae_say $__phocinae_message
    fi
    while :; do
        __phocinae_verdict=no
        __phocinae_drain
        __phocinae_offer $__phocinae_offered
        __phocinae_key=
        \builtin read -r -s -k 1 __phocinae_key 2>/dev/null
        [[ -n $__phocinae_key && yY$__phocinae_offered == *$__phocinae_key* ]] || __phocinae_key=n
        __phocinae_say $__phocinae_key$'\n'
        case $__phocinae_key in
            y | Y) __phocinae_verdict=allow ;;
            e) \builtin print -rz -- "${1:-$2}" ;;
            o)
                phocinae_off
                \builtin print -rz -- "${1:-$2}"
                ;;
            a | p)
                if [[ $__phocinae_key == a ]]; then __phocinae_query approve; else __phocinae_query program; fi
                __phocinae_say $__phocinae_message
                if [[ $__phocinae_verdict == done ]]; then __phocinae_verdict=allow; else continue; fi
                ;;
            '?')
                __phocinae_query explain
                __phocinae_say $__phocinae_message
                continue
                ;;
        esac
        \builtin break
    done
    __phocinae_drain
}

# The keys on offer, as a prompt. Which ones there are comes with the answer.
__phocinae_offer() {
    \builtin local __phocinae_words='[y]es once, [N]o'
    [[ $1 != *a* ]] || __phocinae_words+=', [a]lways here'
    [[ $1 != *p* ]] || __phocinae_words+=', [p]rogram always'
    [[ $1 != *e* ]] || __phocinae_words+=', [e]dit'
    [[ $1 != *o* ]] || __phocinae_words+=', hook [o]ff'
    [[ $1 != *\?* ]] || __phocinae_words+=', [?] why'
    __phocinae_say "run it? $__phocinae_words: "
}

# --- on and off ------------------------------------------------------------------------------------------------------

# Takes the hook out of this shell.
phocinae_off() {
    \builtin emulate -L zsh
    \builtin local -i __phocinae_status=$?
    if [[ -n ${__phocinae_on-} ]]; then
        preexec_functions=(${preexec_functions:#__phocinae_preexec})
        precmd_functions=(${precmd_functions:#__phocinae_precmd})
        __phocinae_on=
        if [[ -p $__phocinae_dir/q ]]; then \builtin print quit 1<>$__phocinae_dir/q; fi
        __phocinae_pid=
    fi
    \builtin return $__phocinae_status
}

# Only an interactive shell gets the hook; any other is left alone without a word.
__phocinae_load() {
    \builtin emulate -L zsh
    \builtin local -a __phocinae_numbers
    __phocinae_numbers=(${(s:.:)ZSH_VERSION})
    # (is-at-least would leave a descriptor open, that of the file it is loaded from.)
    if ((__phocinae_numbers[1] * 100 + ${__phocinae_numbers[2]%%[^0-9]*} < 503)); then
        \builtin print -r -- "phocinae: zsh $ZSH_VERSION is too old for the hook (5.3 or later): lines are not checked" >&2
        \builtin return 0
    fi
    \builtin zmodload zsh/parameter zsh/system 2>/dev/null
    \builtin typeset -g __phocinae_on=yes __phocinae_passed= __phocinae_body= __phocinae_large= __phocinae_pid= __phocinae_dir=
    \builtin typeset -gi __phocinae_id=0 __phocinae_fails=0 __phocinae_resume=0
    \builtin typeset -g __phocinae_base=${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}/phocinae-$UID
    \builtin typeset -ga preexec_functions precmd_functions
    preexec_functions=(__phocinae_preexec ${preexec_functions:#__phocinae_preexec})
    precmd_functions+=(__phocinae_precmd)
    # The completion of the command itself, asked for only when Tab is pressed.
    if ((${+functions[compdef]})); then compdef __phocinae_complete phocinae; fi
}

__phocinae_complete() {
    \builtin eval "$(_TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _PHOCINAE_COMPLETE=complete_zsh \command $words[1] 2>/dev/null)"
}

if [[ -o interactive && -z ${__phocinae_on-} ]]; then __phocinae_load; fi
