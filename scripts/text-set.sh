#!/bin/bash
# A text set of three classes from texts that Debian ships, for segment cluster: OUT.csv, counts of words, a document a
# row, its class in the last column.
#
#     scripts/text-set.sh OUT [kinds|licences] [WORDS]
#
# kinds     licences, changelogs and manual pages: classes far apart (needs manual pages, which small images leave out)
# licences  the GPL, the GFDL and the MPL, in their versions: classes alike, from the package base-files alone
#
# A document is WORDS words in a row (default 60) of one text: words are runs of three letters or more in lower case;
# those in more than half of the documents (stop words) and in fewer than three are dropped. Each class has at most 100
# documents, spread evenly over its texts, which are read in the order of their names: the same texts give the same bytes.
set -euo pipefail
export LC_ALL=C
if [ $# -lt 1 ] || [ $# -gt 3 ]; then
    echo "usage: text-set.sh OUT [kinds|licences] [WORDS]" >&2
    exit 2
fi
exec python3 - "$1" "${2:-kinds}" "${3:-60}" <<'END'
import collections, glob, gzip, os, re, sys

out, kind, length = sys.argv[1], sys.argv[2], int(sys.argv[3]) if sys.argv[3].isdigit() else 0
MOST, SHARE, LEAST = 100, 0.5, 3  # documents of a class; of them with a word, at most; documents with a word, at least
LICENCES = "/usr/share/common-licenses/"
PACKAGES = "apt base-files bash coreutils dpkg findutils grep gzip hostname login mount passwd sed tar util-linux".split()
PAGES = "apt-get.8 bash.1 dpkg.1 find.1 grep.1 gzip.1 login.1 ls.1 mount.8 passwd.1 sed.1 sort.1 tar.1 xargs.1".split()
CLASSES = {
    "kinds": {"licence": [LICENCES + "*"],
              "changelog": ["/usr/share/doc/%s/changelog.Debian.gz" % p for p in PACKAGES] +
                           ["/usr/share/doc/%s/changelog.gz" % p for p in PACKAGES],
              "manual": ["/usr/share/man/man%s/%s.gz" % (p[-1], p) for p in PAGES]},
    "licences": {"gpl": [LICENCES + "GPL-?"], "gfdl": [LICENCES + "GFDL-*"], "mpl": [LICENCES + "MPL-*"]},
}
if kind not in CLASSES or length < 1:
    sys.exit("text-set.sh: a set is 'kinds' or 'licences', and a document has one word or more")


def words(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as text:
        text = text.read().decode("utf-8", "replace")
    if "/man/" in path:  # roff: macros, fonts, escapes
        text = re.sub(r"(?m)^['.] *(\\\".*|[A-Za-z]+)|\\f.|\\\(..|\\.", " ", text)
    return re.findall(r"[a-z]{3,}", text.lower())


documents, labels = [], []
for name, patterns in CLASSES[kind].items():
    pieces = []
    for path in sorted(p for pattern in patterns for p in glob.glob(pattern) if not os.path.islink(p)):
        text = words(path)
        pieces += [text[at:at + length] for at in range(0, len(text) - length + 1, length)]
    if len(pieces) < 10:
        sys.exit("text-set.sh: only %d documents of the class '%s'; are its texts installed (%s)?"
                 % (len(pieces), name, patterns[0]))
    chosen = min(MOST, len(pieces))
    documents += [pieces[i * len(pieces) // chosen] for i in range(chosen)]
    labels += [name] * chosen
frequency = collections.Counter(word for document in documents for word in set(document))
kept = sorted(word for word, df in frequency.items() if LEAST <= df <= SHARE * len(documents))
known = set(kept)
rows = [collections.Counter(word for word in document if word in known) for document in documents]
full = [i for i, row in enumerate(rows) if row]  # a document without a word has nothing to be compared by
with open(out + ".csv", "w") as to:
    for i in full:
        to.write(",".join([str(rows[i][word]) for word in kept] + [labels[i]]) + "\n")
sizes = collections.Counter(labels[i] for i in full)
print("%s: %d documents, %d words; %s" % (out, len(full), len(kept), ", ".join("%s %d" % s for s in sizes.items())))
END
