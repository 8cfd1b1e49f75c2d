# What fish offers for each line of standard input:
#
#     fish --no-config complete.fish SCRIPT    prints "== LINE" and the offers, one per line
source $argv[1]
while read -l line
    echo "== $line"
    complete -C $line | string replace -r '=?(\t.*)?$' ''
end
