__phocinae_whole='
'; case "${__phocinae_whole}" in ' ') \builtin printf '%s\n' 'phocinae: not loaded: what is given to eval needs double quotes around it' >&2 ;; esac; #
# shellcheck shell=bash
#
# The phocinae hook for bash 4.4 and later. Enter becomes a macro of two keys: the first has the line judged and binds the
# second, either to accept-line or to nothing. So a line is judged before the shell has seen any part of it. (A DEBUG trap
# would stop one command and run the rest.) There are two such pairs, and each Enter that is allowed makes the next one use
# the other pair, whose second key does nothing yet: whatever keeps the first key from working leaves the line where it is.
#
# This file carries the line out and an answer back; all judgement is in Python. (The first lines make `eval $(...)`
# without quotes, where the newlines are lost, fail loudly and harmlessly.)

__phocinae_python=@python@
__phocinae_run=@run@
__phocinae_hook=@version@

# What the first key calls: KEYMAP, which of the two pairs, and "$_", last so that it stays what it was.
__phocinae_enter() {
    # Whatever the person has set, this runs without errexit, nounset, xtrace and globbing, and fires no trap of theirs.
    \builtin local -
    \builtin set +euxT -f
    __phocinae_keymap="$1" __phocinae_pair="$2"
    __phocinae_hold
    # They are exported in here: beyond 128 KiB no program could be started, and the text would leak into its environment.
    \builtin export -n READLINE_LINE READLINE_POINT READLINE_MARK READLINE_ARGUMENT
    __phocinae_heal
    # At PS2 the buffer holds one physical line. It continues an accepted one if no command and no prompt came between.
    \builtin local __phocinae_number="${__phocinae_counter@P}" __phocinae_text="${READLINE_LINE}" __phocinae_more=""
    if [[ -n ${__phocinae_pending} && ${__phocinae_number} == "${__phocinae_last}" ]]; then
        __phocinae_text="${__phocinae_pending}"$'\n'"${READLINE_LINE}"
        __phocinae_more=yes
    else
        __phocinae_yes=""
    fi
    __phocinae_verdict=""
    __phocinae_judge "${__phocinae_text}"
    if \builtin test "${__phocinae_verdict}" = allow; then
        __phocinae_pending="${__phocinae_text}"
        __phocinae_last="${__phocinae_number}"
        __phocinae_pass "${__phocinae_accept}"
    elif \builtin test "${__phocinae_verdict}" != edit; then
        __phocinae_refuse
    fi
    __phocinae_accept=accept-line
    \builtin return 0 # bash restores $? itself, and under errexit any other status would end the shell
}

# Sets __phocinae_verdict for a text: allow, deny, no (a person said so) or edit.
__phocinae_judge() {
    case "$1" in
        exit | logout) __phocinae_verdict=allow ;;
        phocinae_off | PHOCINAE_OFF=1 | "export PHOCINAE_OFF=1")
            __phocinae_drain # a paste must not switch the hook off for the lines behind
            __phocinae_verdict=allow
            ;;
    esac
    if [[ -n ${PHOCINAE_OFF-} ]] || [[ -z ${__phocinae_more} && $1 != *[![:space:]]* ]]; then
        __phocinae_verdict=allow
    fi
    \builtin test "${__phocinae_verdict}" = allow && \builtin return
    if \builtin test "${__phocinae_poison}" = "${__phocinae_number}" && [[ -n ${__phocinae_more} ]]; then
        __phocinae_verdict=deny
        \builtin return
    fi
    \builtin local __phocinae_real="$1" __phocinae_why=""
    __phocinae_message=""
    __phocinae_expand
    if \builtin test "${__phocinae_verdict}" != allow; then
        __phocinae_pack "$1" "${__phocinae_real}"
        if \builtin test "${__phocinae_why}" = unsure; then
            __phocinae_say "phocinae: history expansion in a later line of a pasted block can't be seen through"$'\r\n'
            __phocinae_verdict=unknown
        else
            __phocinae_query check
        fi
    fi
    case "${__phocinae_verdict}" in
        allow) [[ -z ${__phocinae_message} ]] || __phocinae_say "${__phocinae_message}" ;;
        deny)
            __phocinae_say "${__phocinae_message}"
            __phocinae_drain # the rest of a paste that the terminal did not bracket must not run either
            ;;
        *)
            # A yes to the first lines of a construct holds for the rest, unless there is something new to say.
            if [[ -n ${__phocinae_more} && ${__phocinae_verdict} == ask && ${__phocinae_mark} == "${__phocinae_yes}" ]]; then
                __phocinae_verdict=allow
            else
                __phocinae_question
            fi
            ;;
    esac
}

# What history expansion will make of the text, in __phocinae_real. An expansion that fails is bash's to report: nothing runs.
__phocinae_expand() {
    [[ -o histexpand ]] || \builtin return 0
    \builtin local __phocinae_bang="${histchars-!^}" __phocinae_out
    [[ ${__phocinae_real} == *"${__phocinae_bang:0:1}"* || ${__phocinae_real} == "${__phocinae_bang:1:1}"* ]] || \builtin return 0
    # `history -p` first drops the newest entry, as the line that holds the command itself: give it one to drop.
    __phocinae_out="$(
        HISTCONTROL="" HISTIGNORE="" HISTTIMEFORMAT=""
        __phocinae_entry="$(\builtin history 1)"
        __phocinae_entry="${__phocinae_entry#*[0-9][ \*] }"
        \builtin history -s -- "${__phocinae_entry}"
        if \builtin history -p -- "${__phocinae_real}"; then \builtin printf '%s' 'done'; else \builtin printf '%s' 'failed'; fi
    )"
    case "${__phocinae_out}" in
        *$'\n'done)
            __phocinae_out="${__phocinae_out%$'\n'done}"
            if [[ ${__phocinae_out} != "${__phocinae_real}" && ${__phocinae_real} == *$'\n'* ]]; then __phocinae_why=unsure; fi
            __phocinae_real="${__phocinae_out}"
            ;;
        failed) if [[ ${__phocinae_real} != *$'\n'* ]]; then __phocinae_verdict=allow; fi ;;
    esac
    \builtin return 0
}

# --- what goes out ---------------------------------------------------------------------------------------------------

# Puts the text and what it names into __phocinae_body: counted fields, a letter, a length in bytes, a colon, the bytes.
__phocinae_pack() {
    \builtin local LC_ALL=C # lengths are in bytes
    __phocinae_body="s4:bashh${#__phocinae_hook}:${__phocinae_hook}w${#COLUMNS}:${COLUMNS}"
    __phocinae_field c "${PWD}"
    __phocinae_field d "${HOME-}"
    __phocinae_field t "$1"
    [[ $2 == "$1" ]] || __phocinae_field x "$2"
    [[ -n ${NO_COLOR-} || ${TERM-} == dumb ]] || __phocinae_field o color
    \builtin shopt -q interactive_comments || __phocinae_field o nocomments
    __phocinae_around "$2"
    __phocinae_size=${#__phocinae_body}
}

__phocinae_field() { __phocinae_body+="$1${#2}:$2"; }

# Adds the aliases, functions and variables that a text names, and those that they name in turn.
__phocinae_around() {
    # shellcheck disable=SC2141
    \builtin local IFS=$' \t\n;|&()<>{}$`"=\'\\' __phocinae_seen=" " __phocinae_word __phocinae_rest __phocinae_name
    \builtin local -a __phocinae_todo __phocinae_words
    __phocinae_todo=("$1")
    \builtin local -i __phocinae_turn __phocinae_left=400
    for ((__phocinae_turn = 0; __phocinae_turn < ${#__phocinae_todo[@]} && __phocinae_turn < 24; __phocinae_turn++)); do
        # Beyond this size what the text names stays unknown, which asks: a line of that length is no everyday line.
        ((${#__phocinae_todo[__phocinae_turn]} <= 16000)) || continue
        # shellcheck disable=SC2206 # splitting is the purpose, and -f is set
        __phocinae_words=(${__phocinae_todo[__phocinae_turn]})
        for __phocinae_word in "${__phocinae_words[@]}"; do
            case "${__phocinae_word}" in '' | - | -* | '@' | '*' | *[]['!']*) continue ;; esac
            [[ ${__phocinae_seen} != *" ${__phocinae_word} "* ]] || continue
            ((__phocinae_left-- > 0)) || \builtin break 2
            __phocinae_seen+="${__phocinae_word} "
            if ((${#BASH_ALIASES[@]})) && [[ -n ${BASH_ALIASES[${__phocinae_word}]+x} ]]; then
                __phocinae_field a "${__phocinae_word}=${BASH_ALIASES[${__phocinae_word}]}"
                __phocinae_todo+=("${BASH_ALIASES[${__phocinae_word}]}")
            fi
            if \builtin declare -F -- "${__phocinae_word}"; then # stdout is /dev/null in here
                __phocinae_rest="$(\builtin declare -f -- "${__phocinae_word}")"
                __phocinae_field f "${__phocinae_word}=${__phocinae_rest}"
                __phocinae_todo+=("${__phocinae_rest}")
            fi
        done
        __phocinae_rest="${__phocinae_todo[__phocinae_turn]}"
        while [[ ${__phocinae_rest} == *'$'* ]]; do
            ((__phocinae_left-- > 0)) || \builtin break 2
            __phocinae_rest="${__phocinae_rest#*'$'}"
            __phocinae_name="${__phocinae_rest#'{'}"
            __phocinae_name="${__phocinae_name#[#!]}"
            __phocinae_name="${__phocinae_name%%[!A-Za-z0-9_]*}"
            # Not those that change when they are read, nor those that mean something else in here.
            case "${__phocinae_name}" in
                '' | [0-9]* | _ | __phocinae_* | IFS | LC_ALL | RANDOM | SRANDOM | SECONDS | LINENO | EPOCH* | BASH* | FUNCNAME | COMP_* | READLINE_*) continue ;;
            esac
            [[ ${__phocinae_seen} != *" \$${__phocinae_name} "* ]] || continue
            __phocinae_seen+="\$${__phocinae_name} "
            if [[ -n ${!__phocinae_name+x} && ${!__phocinae_name@a} != *[aA]* ]] && ((${#__phocinae_name} < 100)); then
                __phocinae_word="${!__phocinae_name}"
                ((${#__phocinae_word} > 2000)) || __phocinae_field v "${__phocinae_name}=${__phocinae_word}"
            fi
        done
    done
}

# --- the answer ------------------------------------------------------------------------------------------------------

# Sends a verb (check, explain, approve, program) with the body: to the worker, else to a process of its own, else unknown.
__phocinae_query() {
    \builtin local __phocinae_now=0
    __phocinae_verdict="" __phocinae_message="" __phocinae_keys="" __phocinae_mark=""
    if ((__phocinae_resume)); then
        \builtin printf -v __phocinae_now '%(%s)T' -1
        ((__phocinae_now < __phocinae_resume)) || __phocinae_resume=0
    fi
    # A pipe holds 64 KiB: a worker that reads no more must not block the shell in the middle of writing.
    if ((__phocinae_size <= 32000 && !__phocinae_resume)); then
        if __phocinae_worker "$1"; then
            __phocinae_fails=0
            \builtin return
        fi
        if ((++__phocinae_fails >= 3)); then
            \builtin printf -v __phocinae_now '%(%s)T' -1
            __phocinae_fails=0 __phocinae_resume=$((__phocinae_now + 60))
            __phocinae_say "phocinae: the worker does not answer; for a minute each line is checked by a process of its own"$'\r\n'
        fi
    fi
    __phocinae_once "$1" && \builtin return
    __phocinae_why="no answer within the time allowed; \`phocinae doctor\` finds out why"
    if [[ ! -x ${__phocinae_python} || ! -r ${__phocinae_run} ]]; then
        __phocinae_why="${__phocinae_python} or ${__phocinae_run} is gone: install phocinae again, then run \`phocinae install\`"
    fi
    __phocinae_verdict=unknown
}

# Asks the worker, which is started here when there is none. Returns 1 when no usable answer came in time.
__phocinae_worker() {
    \builtin local __phocinae_limit=0.8
    if [[ -z ${__phocinae_pid} ]] || ! \builtin kill -0 "${__phocinae_pid}"; then
        __phocinae_start || \builtin return 1
        __phocinae_limit=0.5
    fi
    ((__phocinae_id += 1))
    # Open for this one check only, so that no child inherits them; both ways, so that nothing blocks and nobody gets SIGPIPE.
    __phocinae_exchange "$1" "${__phocinae_limit}" 8<>"${__phocinae_dir}/q" 9<>"${__phocinae_dir}/r" && \builtin return 0
    # An answer that comes late must not meet a later question: this pair of pipes is not used again.
    \builtin kill -KILL "${__phocinae_pid}" 2>/dev/null
    __phocinae_pid=""
    \builtin return 1
}

__phocinae_exchange() {
    \builtin local __phocinae_got __phocinae_word __phocinae_length __phocinae_turn
    \builtin printf '%s %s %s\n%s' "${__phocinae_id}" "$1" "${__phocinae_size}" "${__phocinae_body}" >&8
    for __phocinae_turn in 1 2 3 4 5 6 7 8; do
        IFS=' ' \builtin read -r -t "$2" -u 9 __phocinae_got __phocinae_word __phocinae_length __phocinae_keys __phocinae_mark || \builtin return 1
        case "${__phocinae_length}" in '' | *[!0-9]* | ???????*) \builtin return 1 ;; esac
        __phocinae_message=""
        if ((__phocinae_length)); then
            \builtin local LC_ALL=C
            IFS="" \builtin read -r -d '' -N "${__phocinae_length}" -t "$2" -u 9 __phocinae_message || \builtin return 1
        fi
        \builtin test "${__phocinae_got}" = "${__phocinae_id}" || continue
        __phocinae_take "${__phocinae_word}"
        \builtin return
    done
    \builtin return 1
}

# Only the exact words count. (`test`, since nocasematch would have `[[` take any spelling.)
__phocinae_take() {
    if \builtin test "$1" = allow || \builtin test "$1" = ask || \builtin test "$1" = deny || \builtin test "$1" = "done" || \builtin test "$1" = failed; then
        __phocinae_verdict="$1"
        \builtin return 0
    fi
    \builtin return 1
}

# Starts a worker and waits until it is ready, has failed, or half a second has gone by. It tells its number and directory.
# All in a subshell: no entry in `jobs`, and $! stays what it was.
__phocinae_start() {
    \builtin local __phocinae_line
    __phocinae_pid="" __phocinae_dir=""
    __phocinae_line="$(
        \builtin trap '' INT
        IFS="" \builtin read -r -t 0.5 __phocinae_line < <(
            { \exec -- "${__phocinae_python}" -I -S "${__phocinae_run}" worker "${__phocinae_base}" "$$" </dev/null 2>/dev/null & }
        )
        \builtin printf '%s' "${__phocinae_line}"
    )"
    __phocinae_pid="${__phocinae_line%% *}"
    case "${__phocinae_pid}" in '' | *[!0-9]*) __phocinae_pid=""; \builtin return 1 ;; esac
    __phocinae_dir="${__phocinae_line#* }"
}

# The same question to a process of its own: for what is too long for a pipe, and when there is no worker.
__phocinae_once() {
    \builtin local LC_ALL=C __phocinae_line __phocinae_got __phocinae_word __phocinae_length
    __phocinae_line="$(
        IFS="" \builtin read -r -d '' -t 1.1 __phocinae_line < <(
            \builtin printf '%s' "${__phocinae_body}" | \exec -- "${__phocinae_python}" -I -S "${__phocinae_run}" once "$1" 2>/dev/null
        )
        \builtin printf '%s.' "${__phocinae_line}"
    )"
    __phocinae_line="${__phocinae_line%.}"
    IFS=' ' \builtin read -r __phocinae_got __phocinae_word __phocinae_length __phocinae_keys __phocinae_mark <<<"${__phocinae_line%%$'\n'*}"
    __phocinae_message="${__phocinae_line#*$'\n'}"
    \builtin test "${__phocinae_got}" = 0 && \builtin test "${#__phocinae_message}" = "${__phocinae_length}" && __phocinae_take "${__phocinae_word}"
}

# --- the terminal ----------------------------------------------------------------------------------------------------

# Everything for the eye goes to the terminal, whatever stdout is. (Raw mode: a newline alone would not return.)
__phocinae_say() { { \builtin printf '\r\e[K%s' "$1" >/dev/tty; } 2>/dev/null; }

# Takes what is waiting, so that it can't answer a question or run: until nothing came for a moment.
__phocinae_drain() {
    \builtin local __phocinae_key
    while IFS="" \builtin read -rs -d '' -N 1 -t 0.05 __phocinae_key; do :; done </dev/tty 2>/dev/null
    \builtin return 0
}

# Shows the message and takes one key. Only y lets the line run once; anything that is no key here is a no.
__phocinae_question() {
    \builtin local __phocinae_key __phocinae_body_message="${__phocinae_message}" __phocinae_prompt_keys="${__phocinae_keys}"
    \builtin local __phocinae_was_mark="${__phocinae_mark}" __phocinae_was="${__phocinae_verdict}"
    if \builtin test "${__phocinae_was}" = unknown; then
        [[ -z ${__phocinae_why} || ${__phocinae_why} == unsure ]] || __phocinae_say "phocinae: this line could not be checked: ${__phocinae_why}"$'\r\n'
        __phocinae_prompt_keys="yneo" __phocinae_body_message=""
    fi
    [[ -z ${__phocinae_body_message} ]] || __phocinae_say "${__phocinae_body_message}"
    while :; do
        __phocinae_drain
        __phocinae_say "$(__phocinae_offer "${__phocinae_prompt_keys}")"
        __phocinae_key=""
        { IFS="" \builtin read -rs -d '' -N 1 __phocinae_key </dev/tty; } 2>/dev/null
        [[ y${__phocinae_prompt_keys} == *"${__phocinae_key:-n}"* || ${__phocinae_key} == Y ]] || __phocinae_key=n
        { \builtin printf '%s\r\n' "${__phocinae_key}" >/dev/tty; } 2>/dev/null
        __phocinae_verdict=no
        case "${__phocinae_key}" in
            y | Y)
                __phocinae_verdict=allow
                __phocinae_yes="${__phocinae_was_mark}"
                ;;
            e) __phocinae_verdict=edit ;;
            o)
                phocinae_off
                __phocinae_verdict=edit
                ;;
            a | p)
                case "${__phocinae_key}" in a) __phocinae_query approve ;; p) __phocinae_query program ;; esac
                __phocinae_say "${__phocinae_message}"
                if \builtin test "${__phocinae_verdict}" = "done"; then
                    __phocinae_verdict=allow
                    __phocinae_yes="${__phocinae_was_mark}"
                else
                    continue
                fi
                ;;
            '?')
                __phocinae_query explain
                __phocinae_say "${__phocinae_message}"
                continue
                ;;
        esac
        \builtin break
    done
    __phocinae_drain
}

# The keys on offer, as a prompt. Which ones there are comes with the answer.
__phocinae_offer() {
    \builtin local __phocinae_choice="[y]es once, [N]o"
    [[ $1 != *a* ]] || __phocinae_choice+=", [a]lways here"
    [[ $1 != *p* ]] || __phocinae_choice+=", [p]rogram always"
    [[ $1 != *e* ]] || __phocinae_choice+=", [e]dit"
    [[ $1 != *o* ]] || __phocinae_choice+=", hook [o]ff"
    [[ $1 != *'?'* ]] || __phocinae_choice+=", [?] why"
    \builtin printf 'run it? %s: ' "${__phocinae_choice}"
}

# --- the second key --------------------------------------------------------------------------------------------------

__phocinae_hold() { \builtin bind -m "${__phocinae_keymap}" "\"\\C-x\\C-_PB${__phocinae_pair}\": \"\"" 2>/dev/null; }

__phocinae_pass() {
    \builtin local __phocinae_other=$((3 - __phocinae_pair))
    \builtin bind -m "${__phocinae_keymap}" "\"\\C-x\\C-_PB${__phocinae_other}\": \"\"" 2>/dev/null &&
        \builtin bind -m "${__phocinae_keymap}" "\"\\C-x\\C-_PM\": \"\\C-x\\C-_PA${__phocinae_other}\\C-x\\C-_PB${__phocinae_other}\"" 2>/dev/null &&
        \builtin bind -m "${__phocinae_keymap}" "\"\\C-x\\C-_PB${__phocinae_pair}\": $1" 2>/dev/null
}

# The line does not run. It is kept in the history, as a line that was typed.
__phocinae_refuse() {
    READLINE_LINE="" READLINE_POINT=0
    if [[ -z ${__phocinae_more} ]]; then
        __phocinae_pending=""
        if [[ -o history && ${__phocinae_text} != [[:space:]]* ]]; then
            \builtin set +o history # some versions let `history -s` replace the newest entry while it is on
            \builtin history -s -- "${__phocinae_text}"
            \builtin set -o history
        fi
        # Accepting the emptied line leaves vi command mode and drops the undo list, which could bring the line back.
        __phocinae_pass accept-line
    else
        # Emptying one line is not enough: a here-document would run with half its body. So the whole construct is dropped.
        __phocinae_poison="${__phocinae_number}"
        __phocinae_pending="${__phocinae_text}"
        __phocinae_last="${__phocinae_number}"
        __phocinae_trap="$(\builtin trap -p INT)"
        __phocinae_trap="${__phocinae_trap:-trap - INT}"
        \builtin trap - INT
        \builtin kill -INT "$$"
    fi
}

# Runs at every prompt and only puts things back; no line is stopped or passed by it.
__phocinae_prompt() {
    \builtin local __phocinae_status=$?
    __phocinae_pending="" __phocinae_poison="" __phocinae_yes=""
    if [[ -n ${__phocinae_trap} ]]; then
        \builtin eval "${__phocinae_trap}"
        __phocinae_trap=""
    fi
    # Under errexit a status other than 0 would end the shell where the person's own command did not.
    [[ $- != *e* ]] || __phocinae_status=0
    \builtin return "${__phocinae_status}"
}

# Adds __phocinae_prompt where it is missing: at the start, or because somebody has set PROMPT_COMMAND anew.
__phocinae_heal() {
    [[ ${PROMPT_COMMAND[*]-} != *__phocinae_prompt* ]] || \builtin return 0
    # A child without the hook may inherit it, so it names the function only where there is one.
    # shellcheck disable=SC2016
    \builtin local __phocinae_call='${__phocinae_on:+"__phocinae_prompt"}'
    if [[ ${PROMPT_COMMAND@a} == *a* ]]; then
        PROMPT_COMMAND+=("${__phocinae_call}")
    else
        # A newline: whatever stands before may be empty or end in `;`, `&` or a comment.
        # shellcheck disable=SC2128,SC2178
        PROMPT_COMMAND="${PROMPT_COMMAND-}${PROMPT_COMMAND:+$'\n'}${__phocinae_call}"
    fi
}

# `C-x C-e` and `v` run what the editor wrote. Here they bring it back to the prompt, where Enter has it judged.
__phocinae_edit() {
    \builtin local -
    \builtin set +eux +T
    \builtin export -n READLINE_LINE READLINE_POINT READLINE_MARK READLINE_ARGUMENT
    \builtin local __phocinae_file __phocinae_modes __phocinae_editor="${VISUAL:-${EDITOR:-vi}}"
    __phocinae_file="$(\command mktemp "${TMPDIR:-/tmp}/phocinae-edit.XXXXXX")" || \builtin return 0
    \builtin printf '%s\n' "${READLINE_LINE}" >"${__phocinae_file}"
    __phocinae_modes="$(\command stty -g </dev/tty)"
    \command stty sane </dev/tty
    # shellcheck disable=SC2086 # an editor may come with options
    if \command ${__phocinae_editor} "${__phocinae_file}" </dev/tty >/dev/tty; then
        READLINE_LINE="$(<"${__phocinae_file}")"
        READLINE_POINT="${#READLINE_LINE}"
    fi
    \command stty "${__phocinae_modes}" </dev/tty
    \command rm -f -- "${__phocinae_file}"
    \builtin return 0
}

# Ctrl-O: the next Enter accepts as operate-and-get-next does.
__phocinae_get_next() { __phocinae_accept=operate-and-get-next; }

# --- on and off ------------------------------------------------------------------------------------------------------

__phocinae_bind() {
    \builtin local __phocinae_map __phocinae_key __phocinae_keys_line __phocinae_lines
    # One line for each keymap, from one fork.
    __phocinae_lines="$(for __phocinae_map in emacs-standard vi-insert vi-command; do \builtin bind -m "${__phocinae_map}" -q accept-line; done 2>/dev/null)"
    for __phocinae_map in emacs-standard vi-insert vi-command; do
        # Each is one simple command (its output is for nobody: what we say goes to the terminal). At PS2 the parser is in the middle of something, and would not take any other.
        for __phocinae_key in 1 2; do
            \builtin bind -m "${__phocinae_map}" -x "\"\\C-x\\C-_PA${__phocinae_key}\": __phocinae_enter ${__phocinae_map} ${__phocinae_key} \"\$_\" &>/dev/null"
            \builtin bind -m "${__phocinae_map}" "\"\\C-x\\C-_PB${__phocinae_key}\": \"\""
        done
        \builtin bind -m "${__phocinae_map}" '"\C-x\C-_PM": "\C-x\C-_PA1\C-x\C-_PB1"'
        # shellcheck disable=SC2016
        \builtin bind -m "${__phocinae_map}" -x '"\C-x\C-_PN": __phocinae_get_next "$_"'
        # shellcheck disable=SC2016
        \builtin bind -m "${__phocinae_map}" -x '"\C-x\C-_PE": __phocinae_edit "$_" 2>/dev/null'
        # Whatever key accepts a line, the keypad's Enter or one of the person's own.
        __phocinae_keys_line="${__phocinae_lines%%$'\n'*}"
        __phocinae_lines="${__phocinae_lines#*$'\n'}"
        while [[ ${__phocinae_keys_line} == *\"*\"* ]]; do
            __phocinae_key="${__phocinae_keys_line#*\"}"
            __phocinae_keys_line="${__phocinae_key#*\"}"
            __phocinae_key="${__phocinae_key%%\"*}"
            \builtin bind -m "${__phocinae_map}" "\"${__phocinae_key}\": \"\\C-x\\C-_PM\""
        done
        \builtin bind -m "${__phocinae_map}" '"\C-m": "\C-x\C-_PM"'
        \builtin bind -m "${__phocinae_map}" '"\C-j": "\C-x\C-_PM"'
        \builtin bind -m "${__phocinae_map}" '"\C-o": "\C-x\C-_PN\C-x\C-_PM"'
    done
    \builtin bind -m emacs-standard '"\C-x\C-e": "\C-x\C-_PE"'
    \builtin bind -m vi-command '"v": "\C-x\C-_PE"'
    # insert-comment accepts the line, and with an argument it takes the comment sign away first.
    \builtin bind -m emacs-standard '"\e#": "\C-a#\C-m"'
    \builtin bind -m vi-command '"#": "0i#\C-m"'
}

# Takes the hook out of this shell.
phocinae_off() {
    \builtin local __phocinae_map __phocinae_status=$?
    if [[ -n ${__phocinae_on-} ]]; then
        for __phocinae_map in emacs-standard vi-insert vi-command; do
            \builtin bind -m "${__phocinae_map}" '"\C-m": accept-line' 2>/dev/null
            \builtin bind -m "${__phocinae_map}" '"\C-j": accept-line' 2>/dev/null
            \builtin bind -m "${__phocinae_map}" '"\C-o": operate-and-get-next' 2>/dev/null
            \builtin bind -m "${__phocinae_map}" '"\C-x\C-_PM": accept-line' 2>/dev/null
            \builtin bind -m "${__phocinae_map}" '"\C-x\C-_PN": ""' 2>/dev/null
        done
        \builtin bind -m emacs-standard '"\C-x\C-e": edit-and-execute-command' 2>/dev/null
        \builtin bind -m vi-command '"v": edit-and-execute-command' 2>/dev/null
        \builtin bind -m emacs-standard '"\e#": insert-comment' 2>/dev/null
        \builtin bind -m vi-command '"#": insert-comment' 2>/dev/null
        __phocinae_on=""
        __phocinae_unprompt
        if [[ -p ${__phocinae_dir}/q ]]; then \builtin printf 'quit\n' 1<>"${__phocinae_dir}/q"; fi
        __phocinae_pid=""
    fi
    \builtin return "${__phocinae_status}"
}

__phocinae_unprompt() {
    # shellcheck disable=SC2016
    \builtin local __phocinae_call='${__phocinae_on:+"__phocinae_prompt"}' __phocinae_index
    if [[ ${PROMPT_COMMAND@a} == *a* ]]; then
        for __phocinae_index in "${!PROMPT_COMMAND[@]}"; do
            if [[ ${PROMPT_COMMAND[__phocinae_index]} == "${__phocinae_call}" ]]; then
                \builtin unset "PROMPT_COMMAND[${__phocinae_index}]"
            fi
        done
    else
        # shellcheck disable=SC2128,SC2178
        PROMPT_COMMAND="${PROMPT_COMMAND//$'\n'"${__phocinae_call}"/}"
        # shellcheck disable=SC2128,SC2178
        PROMPT_COMMAND="${PROMPT_COMMAND//"${__phocinae_call}"/}"
    fi
}

# Only an interactive shell with line editing gets the hook; any other is left alone without a word.
__phocinae_load() {
    \builtin local -
    \builtin set +eux
    [[ $- == *i* && -z ${__phocinae_on-} ]] || \builtin return 0
    [[ -o emacs || -o vi ]] || \builtin return 0
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
        \builtin printf '%s\n' "phocinae: bash ${BASH_VERSION} is too old for the hook (4.4 or later): lines are not checked" >&2
        \builtin return 0
    fi
    if [[ -n ${BLE_VERSION-} ]]; then
        \builtin printf '%s\n' "phocinae: ble.sh is not supported: lines are not checked" >&2
        \builtin return 0
    fi
    __phocinae_base="${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}/phocinae-${UID}"
    __phocinae_counter='\#' __phocinae_pending="" __phocinae_last="" __phocinae_poison="" __phocinae_yes="" __phocinae_trap=""
    __phocinae_pid="" __phocinae_dir="" __phocinae_id=0 __phocinae_fails=0 __phocinae_resume=0
    __phocinae_body="" __phocinae_size=0 __phocinae_message="" __phocinae_why="" __phocinae_keymap=emacs-standard __phocinae_pair=1 __phocinae_accept=accept-line
    __phocinae_on=yes
    __phocinae_bind 2>/dev/null
    __phocinae_heal
    # Nothing is started for it: the completion of the command itself, asked for only when Tab is pressed.
    \builtin complete -o default -F __phocinae_complete phocinae
}

__phocinae_complete() {
    # shellcheck disable=SC2207
    COMPREPLY=($(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="${COMP_CWORD}" _PHOCINAE_COMPLETE=complete_bash \command "$1" 2>/dev/null))
}

__phocinae_load
