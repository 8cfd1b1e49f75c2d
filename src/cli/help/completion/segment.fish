# fish completion for segment(1): commands, options and names as 'segment COMMAND --help=words' lists them, and files.

function __segment_words
    set -l line (commandline -opc)
    set -l word (commandline -ct)
    set -l command
    test (count $line) -eq 1; or string match -q -- '-*' $line[2]; or set command $line[2]
    set -l said ($line[1] $command --help=words 2>/dev/null)
    if string match -q -- '-*=*' $word
        string match -r -- '^'(string replace -r '=.*' '=.+' -- $word)'$' $said
    else if string match -q -- '-*' $word
        string match -r -- '^--[^=]*=?$' $said
    else if string match -q -- '--*' $line[-1]
        string match -r -- '^'$line[-1]'=\K.+' $said
    else if test (count $line) -eq 1; or test "$command" = help
        string match -v -- '-*' $said | string match -- "$word*"
    end
end

complete -c segment -f -n '__segment_words | string length -q' # files where there is no word
complete -c segment -a '(__segment_words)'
