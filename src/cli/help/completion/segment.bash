# bash completion for segment(1), printed by 'segment completion bash'.
# shellcheck shell=bash

_segment() {
    local word=${COMP_WORDS[COMP_CWORD]} begin whole='' words=() kept='' files='' lead='' file ending offers=() i
    # --option=word is three words, unless '=' was taken out of COMP_WORDBREAKS: put them together again.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == '=' || ${COMP_WORDS[i - 1]} == '=' ]] && ((${#words[@]})); then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    whole=${words[-1]}
    [[ $word != '=' ]] || word=''
    lead=${whole:0:${#whole}-${#word}}
    {
        IFS= read -r kept
        IFS= read -r files
        while IFS=$'\t' read -r file _; do
            offers+=("$kept$file")
        done
    } < <("${COMP_WORDS[0]/#\~/$HOME}" completion offers -- "${words[@]}" 2>/dev/null)
    COMPREPLY=()
    for file in "${offers[@]}"; do
        [[ $file != "$whole"* ]] || COMPREPLY+=("${file#"$lead"}")
    done
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    [[ $files ]] || return 0
    compopt -o filenames 2>/dev/null
    begin=${whole#"$kept"} begin=${begin//\\/}
    [[ $begin != \~/* ]] || begin=$HOME/${begin:2}
    kept=${kept#"$lead"}
    while IFS= read -r file; do
        [[ ${file##*/} != .* || ${begin##*/} == .* ]] || continue
        if [[ $files == '*' || -d $file ]]; then
            COMPREPLY+=("$kept$file")
            continue
        fi
        for ending in $files; do
            [[ ${file,,} != *."$ending" ]] || COMPREPLY+=("$kept$file")
        done
    done < <(compgen -f -- "$begin")
}

complete -F _segment segment
