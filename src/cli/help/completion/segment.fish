# fish completion for segment(1), printed by 'segment completion fish'.

function __segment_offers
    set -l words (commandline -opc) (commandline -ct)
    set -l lines ($words[1] completion offers -- $words[2..] 2>/dev/null)
    set -l kept $lines[1]
    string match -r -- '^'(string escape --style=regex -- "$words[-1]")'.*' $kept$lines[3..]
    test -n "$lines[2]"; or return
    set -l begin (string sub -s (math (string length -- "$kept") + 1) -- $words[-1])
    set begin (string replace -r -- '^~/' $HOME/ "$begin")
    for file in $begin*
        if test -d $file
            echo $kept$file/
        else if test "$lines[2]" = '*'; or string match -qri -- '\.('(string replace -a ' ' '|' -- $lines[2])')$' $file
            echo $kept$file
        end
    end
end

complete -c segment -f -a '(__segment_offers)'
