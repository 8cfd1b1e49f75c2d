#!/bin/bash
# report.html as a browser shows it: opened from disk without a network in headless Chromium, at a desktop's and a
# phone's width. Skipped where there is no Chromium.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cli/eval_lib.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "skipped: no Chromium"
    exit 77
fi
# dom PAGE WIDTH: the page's elements after its scripts ran, in .dom.
dom() {
    local try
    for try in 1 2 3; do
        rm -rf profile
        timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
            --disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage \
            --user-data-dir="$PWD/profile" --window-size="$2",900 --virtual-time-budget=10000 --dump-dom "file://$1" \
            >.dom 2>.err && [ -s .dom ] && return
        echo "attempt $try: the browser gave nothing"
    done
    fail "the browser does not show $1"
}
count() {
    grep -o -- "$1" .dom | wc -l
}

make_set
add_photograph
head -c 500 set/p2.bmp >short && mv short set/p2.bmp
expect 5 eval set --out report --methods kmeans,enpakl,auto -q
! grep -E 'https?://' report/report.html | grep -v 'www.w3.org' | grep -q . || fail "the page asks a network"

dom "$PWD/report/report.html" 1280
grep -q 'data-ready="1"' .dom || fail "the script did not run to its end"
[ "$(count '<article class="item"')" -eq 7 ] || fail "not seven images: $(count '<article class="item"')"
[ "$(count '<figure class="cell')" -eq 35 ] || fail "not five pictures each"
[ "$(count 'src="masks/')" -eq $((7 * 4 + 7)) ] || fail "masks are missing: $(count 'src="masks/')"
grep -q '7 of 7 images' .dom || fail "the count"
grep -q '<table id="summary">' .dom || fail "no summary"
[ "$(count 'src="figures/[a-z]*.svg"')" -eq 1 ] || fail "no figures"
grep -q '<b>p2</b>' .dom || fail "the damaged image is not named"
# Worst first, by the last method: the order of the articles is that of results.csv.
awk -F, '$6 == "auto" && $2 == "scored" { print $7, $1 }' report/results.csv | LC_ALL=C sort -k1,1n -k2,2 |
    awk '{ print $2 }' >.note
grep -o 'data-name="[^"]*"' .dom | sed 's/data-name="\(.*\)"/\1/' >.said
cmp -s .note .said || fail "not worst first: $(tr '\n' ' ' <.said), not $(tr '\n' ' ' <.note)"
# The mean in the table is that of results.json.
mean=$(jq -r '.methods[2].mean * 10000 | round / 10000' report/results.json)
tr -d '\n' <.dom | grep -q "auto</td><td>7</td><td>${mean}" || fail "the summary does not say $mean for auto"

# Nothing is wider than a phone: a frame of 390 pixels, whose page says how wide it is laid out; and the filters work.
cat >frame.html <<'END'
<!DOCTYPE html><iframe id="f" src="report/report.html" width="390" height="800"></iframe><p id="said"></p>
<script>
const f = document.getElementById("f");
f.onload = function () {
  const d = f.contentDocument, by = d.getElementById("by"), name = d.getElementById("name"), order = d.getElementById("order");
  const said = [d.documentElement.scrollWidth <= d.documentElement.clientWidth];
  order.value = "name"; order.dispatchEvent(new Event("change"));
  said.push(d.querySelector(".item").dataset.name);
  name.value = "p7"; name.dispatchEvent(new Event("input"));
  said.push(d.querySelectorAll(".item").length);
  name.value = ""; d.getElementById("k").value = "3"; d.getElementById("k").dispatchEvent(new Event("change"));
  said.push(d.querySelectorAll(".item").length);
  by.value = "0"; d.getElementById("most").value = "0"; by.dispatchEvent(new Event("change"));
  said.push(d.querySelectorAll(".item").length);
  document.getElementById("said").textContent = "said " + said.join(" ") + " end";
};
</script>
END
browser_arguments=(--allow-file-access-from-files)
browser_real=$browser
cat >browser.sh <<END
#!/bin/sh
exec "$browser_real" ${browser_arguments[*]} "\$@"
END
chmod +x browser.sh
browser=$PWD/browser.sh
dom "$PWD/frame.html" 1280
said=$(grep -o 'said [tf].* end' .dom | head -n 1)
[ "$said" = "said true chelsea 1 3 0 end" ] || fail "in a frame of 390 pixels: '$said'"

# The full view, from a small picture and by keys: the files of the folder, the layers over them, the numbers.
cat >view.html <<'END'
<!DOCTYPE html><iframe id="f" src="report/report.html" width="1200" height="800"></iframe><p id="said"></p>
<script>
const f = document.getElementById("f");
f.onload = function () {
  const d = f.contentDocument, view = d.getElementById("view"), said = [];
  const key = k => view.dispatchEvent(new f.contentWindow.KeyboardEvent("keydown", { key: k, bubbles: true, cancelable: true }));
  const files = () => [...d.querySelectorAll("#stage img")].map(i => decodeURIComponent(i.src).replace(/.*\/report\//, "")).join(",");
  d.getElementById("order").value = "name";
  d.getElementById("order").dispatchEvent(new Event("change"));
  said.push(view.open);
  d.querySelectorAll(".item")[0].querySelectorAll("button.picture")[4].click();
  said.push(view.open, d.getElementById("title").textContent, files());
  key("d");
  said.push(files());
  key("ArrowRight"); key("s"); key("ArrowUp"); key("d");
  said.push(d.getElementById("title").textContent, files());
  key("ArrowLeft"); key("ArrowLeft"); key("2");
  said.push(d.getElementById("title").textContent, files());
  key("1");
  said.push(files(), d.getElementById("facts").textContent.split(",")[0]);
  d.getElementById("shut").click();
  said.push(view.open);
  document.getElementById("said").textContent = "said " + said.join(" ") + " end";
};
</script>
END
dom "$PWD/view.html" 1280
said=$(grep -o 'said false.* end' .dom | head -n 1)
last=$(jq -r '[.items[] | select(.outcome == "scored") | .item] | sort | last' report/results.json)
strokes=masks/scribbles/chelsea.png
want="said false true chelsea photos/chelsea.jpg,masks/auto/chelsea.png,$strokes"
want+=" photos/chelsea.jpg,masks/auto/chelsea.png,masks/auto/chelsea.png,masks/truth/chelsea.png,$strokes"
want+=" p1 photos/p1.jpg,masks/enpakl/p1.png $last photos/$last.jpg,masks/truth/$last.png photos/$last.jpg 7 of 7 false end"
[ "$said" = "$want" ] || fail "the full view: '$said', not '$want'"
for file in photos/chelsea.jpg masks/auto/chelsea.png "$strokes" masks/truth/chelsea.png masks/enpakl/p1.png; do
    [ -s "report/$file" ] || fail "the full view names $file, which is not there"
done
jq -e '[.items[].methods[] | .ran] | sort == ([range(14)] | map(null)) + ([range(7)] | map("random-walker"))' report/results.json >/dev/null ||
    fail "results.json does not say what auto ran"

# Names of every kind: each image is shown under its name, and none of them is taken for a part of the page.
odd_names
SET=$'tags <\n\xe9'
mkdir -p "$SET/groundtruth"
for name in "${NAMES[@]}"; do
    cp set/p1.bmp "$SET/$name.bmp"
    cp set/p1-truth.bmp "$SET/groundtruth/$name.bmp"
done
echo nothing >"$SET/groundtruth/con.bmp" # its message has the path in it
mkdir page
ln -s "../$SET" 'page/a<'
expect 5 eval 'page/a<' --out odd --methods kmeans -q
dom "$PWD/odd/report.html" 1280
grep -q 'data-ready="1"' .dom || fail "names stop the script of the page"
[ "$(count '<script')" -eq "$(grep -c '^<script>' odd/report.html)" ] || fail "a name has become a script"
[ "$(count '<figure class="cell')" -ge $((24 * 3)) ] || fail "images are missing"
grep -q "$((${#NAMES[@]} - 1)) of $((${#NAMES[@]} - 1)) images" .dom || fail "the page does not count all images"
for name in 'tab\\x09bed' 'line\\x0Aend' 'caf\\xE9' 'back\\x5Cx41slash'; do # a backslash of JSON is two
    grep -qF "\"n\":\"$name\"" odd/report.html || fail "$name is not among the names of the page"
done
exit 0
