#!/bin/bash
# segment score on a table whose scores are known.
. "$(dirname "$0")/lib.sh"

# Truth: 4 x 3 pixels of label 1 (blue) and the same of 2 (red); the mask has one column of blue more, so 3 of 24 pixels differ.
bmp truth.bmp 8 3 'if (x < 4) b = 255; else r = 255'
bmp mask.bmp 8 3 'if (x < 5) b = 255; else r = 255'
expect 0 score mask.bmp truth.bmp
silent
[ "$(wc -l <.out)" -eq 8 ] || fail "not eight lines"
is() {
    [ "$(score "$1")" = "$2" ] || fail "$1 is $(score "$1") and not $2"
}
# Table 12 0 / 3 9: 276 pairs; together in both 66+3+36 = 105, in the mask 105+36 = 141, in the truth 66+66 = 132.
is pairwise_accuracy 0.771739 # (276 - 141 - 132 + 2*105) / 276 = 213/276
is clustering_error 0.125000  # 3/24
is pairwise_f 0.769231        # 2 * 105 / (141 + 132)
is mean_dice 0.873016         # (2*12/27 + 2*9/21) / 2
is error_rate 0.125000
is scored 24
is nmi 0.561590 # 2 (H(T) + H(M) - H(T,M)) / (H(T) + H(M))

# Other label numbers: only Dice and the error rate change.
bmp swapped.bmp 8 3 'if (x < 5) r = 255; else b = 255'
expect 0 score swapped.bmp truth.bmp
is pairwise_accuracy 0.771739
is clustering_error 0.125000
is error_rate 0.875000

# Void is not scored.
bmp void.bmp 8 3 'if (x < 4) b = 255; else if (x > 4) r = 255'
expect 0 score mask.bmp void.bmp
is pairwise_accuracy 1.000000
is scored 21
silent
# What both leave open may be a class of theirs.
bmp open.bmp 8 3 'if (x < 3) b = 255; else if (x > 4) r = 255'
expect 0 score open.bmp void.bmp
[ "$(cat .err)" = "segment: warning: 12.5 % of the pixels are 0 or 255 (or black) in both 'open.bmp' and 'void.bmp'; this means void, and they are not scored; if it is a class, give it a number from 1 to 254" ] ||
    fail "nothing is said of what both leave open: $(cat .err)"
expect 0 score - truth.bmp <mask.bmp
is error_rate 0.125000
exit 0
