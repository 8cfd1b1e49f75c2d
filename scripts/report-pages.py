#!/usr/bin/env python3
"""Put what scripts/reproduce.sh made into the pages of the report, or check the pages' counts.

    scripts/report-pages.py OUT         figures into docs/pictures, tables into docs/report/*.md, every item of every run
                                        into docs/report/results.csv.xz
    scripts/report-pages.py --check     the verdicts of the pages add up to those of docs/report/README.md and of the
                                        abstract of docs/report.md
    scripts/report-pages.py --table FILE.csv     the means of a run as tables: a row for each method, a column for each number
    scripts/report-pages.py --self-test

A page has a table between a line `<!-- RUN FILE -->` (the means of OUT/RUN/FILE.csv), or `<!-- RUN FILE MEASURE -->` (means of
one column of results.csv, times.csv), and a line `<!-- end -->`. A run that OUT does not have leaves the page as it is.
"""
import collections
import csv
import lzma
import pathlib
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 60000
FIGURES = {  # name in docs/pictures: run, file
    "li2009ccskl-fig3": ("UE", "error-best-graph"),
    "li2009ccskl-fig3-stand-in": ("UF", "error-best-graph"),
    "li2009ccskl-fig5": ("E", "error-best-graph"),
    "li2009ccskl-many": ("M", "error-best-graph"),
    "chen2011npkl-fig3-ab": ("ST", "accuracy"),
    "chen2011npkl-fig3": ("AT", "accuracy"),
    "chen2011npkl-fig4": ("LT", "accuracy"),
    "chen2011npkl-fig4-waveform": ("LW", "accuracy"),
    "chen2011npkl-fig5-a": ("TA", "time"),
    "chen2011npkl-fig5-b": ("T", "time"),
    "chen2011npkl-fig5-c": ("TW", "time"),
    "basu2004active-fig4": ("BT", "nmi-test"),
    "basu2004active-fig5": ("BT", "f-test"),
    "basu2004active-fig7": ("BU", "objective"),
    "basu2004active-fig10": ("B", "nmi-test"),
    "basu2004active-fig11": ("BO", "objective"),
    "basu2004active-fig12": ("BE", "nmi-test"),
    "kulis2009sskk-fig3": ("HC", "nmi-test"),
    "kulis2009sskk-fig4-6-7": ("HL", "nmi-test"),
    "kulis2009sskk-fig5": ("N", "nmi-test"),
}
# The last cell of a row of an index and of a row of claims.
CLASSES = ("reproduced", "in part", "not reproduced", "other data", "untestable")
VERDICTS = ("holds", "holds in part", "fails")


def shorter(svg):
    """The same picture: bars and marks of one series, and lines of the axes, in one path each, coordinates to a tenth."""
    def number(match):
        text = f"{float(match[0]):.1f}"
        text = text[:-2] if text.endswith(".0") else text
        return "0" if text == "-0" else text

    series, lines = {}, []

    def flush():
        lines.extend(f'<path d="{"".join(parts)}" {style}/>' for style, parts in series.items())
        series.clear()

    for line in svg.split("\n"):
        path = re.fullmatch(r'<path d="([^"]*)" ([^"]*"[^/]*)/>', line)
        if line.startswith("<text") and series:  # of the axes: what is gathered may follow it
            lines.append(line)
            continue
        if not path:
            flush()
            lines.append(line)
            continue
        data = re.sub(r"-?\d+\.\d+", number, path[1])
        if "stroke-opacity" in path[2] or path[2].startswith('fill="#') or path[2] in ('class="rule"', 'class="axis"'):
            series.setdefault(path[2], []).append(data)
        else:
            flush()
            lines.append(f'<path d="{data}" {path[2]}/>')
    flush()
    return "\n".join(lines)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def markdown(head, body):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head)] + body).replace("| --- |", "|---|").replace(
        " --- |", "---|").replace("|---| ---|", "|---|---|")


def grid(cells):
    """A table for each set: a row for each method, a column for each number; `cells[set][method][number]` is text."""
    tables = []
    for name, methods in cells.items():
        numbers = sorted({n for of in methods.values() for n in of}, key=lambda n: float(n) if n[:1].isdigit() else 0)
        if len(numbers) > 1 and any(len(of) == 1 and "0" in of for of in methods.values()) and all(
                "0" not in of or len(of) == 1 for of in methods.values()):
            numbers.remove("0")  # of the method without constraints alone, which has one value for all numbers
        body = [[f"`{method}`"] + [of.get(n, of.get("0", "")) for n in numbers] for method, of in methods.items()]
        tables.append(markdown([f"{name}"] + [f"{float(n):g}" if n[:1].isdigit() else n for n in numbers], body))
    return "\n\n".join(tables)


def means(path):
    cells = collections.defaultdict(lambda: collections.defaultdict(dict))
    for row in rows(path):
        half = (float(row["high"]) - float(row["low"])) / 2
        cells[row["dataset"]][row["method"]][row["constraints"]] = f"{float(row['mean']):.3f} ± {half:.3f}".replace(" ± 0.000", "")
    return grid(cells)


def medians(path, measure):
    """Medians of a column: times in milliseconds, other measures as they are."""
    values = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for row in rows(path):
        if row[measure]:  # an image that is not scored has none
            values[row.get("dataset", "images")][row["method"]][row.get("constraints", measure)].append(float(row[measure]))
    text = (lambda v: f"{1000 * statistics.median(v):.1f}") if measure == "seconds" else (lambda v: f"{statistics.fmean(v):.3f}")
    return grid({name: {method: {n: text(v) for n, v in of.items()} for method, of in methods.items()}
                 for name, methods in values.items()})


def fill(page, out):
    def table(match):
        run, file, measure = match[1], match[2], match[3]
        path = out / run / f"{file}.csv"
        if not path.exists():
            return match[0]
        text = medians(path, measure) if measure else means(path)
        command = (out / run / "command").read_text().strip()
        return f"<!-- {match[0].split('-->')[0][5:].strip()} -->\n    {command}\n\n{text}\n\n<!-- end -->"

    return re.sub(r"<!-- (\w+) ([\w-]+)(?: (\w+))? -->\n.*?<!-- end -->", table, page, flags=re.S)


def everything(out):
    """Every item of every run, one file: the name of the run before each line, and its command in the line before its head."""
    text = []
    for command in sorted(out.glob("*/command")):
        run = command.parent.name
        for name in ("results.csv", "times.csv", "timings.csv"):
            if (command.parent / name).exists():
                text.append(f"# {run}: {command.read_text().strip()}")
                text += [f"{run},{line}" for line in (command.parent / name).read_text().splitlines()]
    return "\n".join(text) + "\n"


def renew(out):
    for name, (run, file) in FIGURES.items():
        source = out / run / f"{file}.svg"
        if source.exists():
            svg = shorter(source.read_text())
            if len(svg.encode()) > LARGEST:
                sys.exit(f"report-pages.py: {name}.svg has {len(svg.encode())} bytes; at most {LARGEST}")
            (ROOT / "docs/pictures" / f"{name}.svg").write_text(svg)
    for path in sorted((ROOT / "docs/report").glob("*.md")):
        path.write_text(fill(path.read_text(), out))
    packed = lzma.compress(everything(out).encode(), preset=9)
    if len(packed) > 2000000:
        sys.exit(f"report-pages.py: results.csv.xz has {len(packed)} bytes; at most 2000000")
    (ROOT / "docs/report/results.csv.xz").write_bytes(packed)


def counts(page, words):
    """How many rows of the tables end in each of the words (which a remark may follow)."""
    found = collections.Counter()
    for line in page.splitlines():
        last = line.rstrip().rstrip("|").rpartition("|")[2].strip()
        word = next((w for w in sorted(words, key=len, reverse=True) if re.match(rf"\*?\*?{w}\*?\*?(,|;|:|$)", last)), None)
        if line.startswith("|") and word:
            found[word] += 1
    return [found[w] for w in words]


def check(folder, abstract):
    """What does not add up, as lines."""
    index = (folder / "README.md").read_text()
    bad, totals = [], [0] * (len(CLASSES) + len(VERDICTS))
    for path in sorted(folder.glob("*.md")):
        if path.name in ("README.md", "data.md"):
            continue
        page = path.read_text()
        number = counts(page, CLASSES) + counts(page, VERDICTS)
        totals = [a + b for a, b in zip(totals, number)]
        wanted = re.search(rf"^\| \[[^]]*\]\({path.name}\)(?: [^|]*)?\|(.*)\|$", index, re.M)
        if not wanted or [int(n) for n in wanted[1].split("|")] != number:
            bad.append(f"README.md should say {' | '.join(map(str, number))} of {path.name}")
    wanted = re.search(r"^\| all \|(.*)\|$", index, re.M)
    if not wanted or [int(n) for n in wanted[1].split("|")] != totals:
        bad.append(f"README.md should say {' | '.join(map(str, totals))} of all")
    figures, claims = totals[:len(CLASSES)], totals[len(CLASSES):]
    said = (f"{sum(claims)} of their claims", f"{claims[0]} hold, {claims[1]} hold in part", f"{claims[2]} fail",
            f"Of {sum(figures)} figures and tables {figures[0]} are reproduced, {figures[1]} in part and {figures[2]} not, "
            f"{figures[3]} on other data; {figures[4]} cannot be tested")
    one_line = " ".join(abstract.split())
    return bad + [f"the abstract should say: {text}" for text in said if text not in one_line]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.md").write_text("| Fig. 1 | x | reproduced |\n| Fig. 2 | y | **other data**: z |\n| c | d | holds in part, e |\n| f | g | fails |\n")
        good = "| [A](a.md) | 1 | 0 | 0 | 1 | 0 | 0 | 1 | 1 |\n| all | 1 | 0 | 0 | 1 | 0 | 0 | 1 | 1 |\n"
        abstract = ("2 of their claims: 0 hold, 1 hold in part, and 1 fail. Of 2 figures and tables 1 are reproduced, 0 in part and 0 not, 1 on\n"
                    "other data; 0 cannot be tested.")
        for index, text, wrong in ((good, abstract, 0), (good.replace("| 1 | 1 |\n| all", "| 2 | 1 |\n| all"), abstract, 1),
                                   (good, abstract.replace("1 fail", "2 fail"), 1), ("", abstract, 2)):
            (root / "README.md").write_text(index)
            if len(check(root, text)) != wrong:
                sys.exit(f"report-pages.py: self-test: {check(root, text)}")
    svg = '<path d="M1.00 2.00V3.55" stroke="#1" stroke-opacity="0.7"/>\n<path d="M1.25 2.00Z" fill="#1"/>\n<path d="M4.00 2.00V3.00" stroke="#1" stroke-opacity="0.7"/>'
    if shorter(svg) != '<path d="M1 2V3.5M4 2V3" stroke="#1" stroke-opacity="0.7"/>\n<path d="M1.2 2Z" fill="#1"/>':
        sys.exit("report-pages.py: self-test: " + shorter(svg))
    print("report-pages: self-test: good")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:] == ["--check"]:
        bad = check(ROOT / "docs/report", (ROOT / "docs/report.md").read_text())
        print("\n".join(bad) or "report-pages: good")
        sys.exit(1 if bad else 0)
    elif len(sys.argv) == 3 and sys.argv[1] == "--table":
        print(means(pathlib.Path(sys.argv[2])))
    elif len(sys.argv) == 2 and pathlib.Path(sys.argv[1]).is_dir():
        renew(pathlib.Path(sys.argv[1]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
