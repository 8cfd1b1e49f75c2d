"""Requests to `segment paint`, as its page sends them and as others might: paint_requests.py SEGMENT SOURCE [TEST...]."""
import http.client
import json
import math
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM, SOURCE = map(os.path.abspath, sys.argv[1:3])
HERE = tempfile.mkdtemp()


def fail(sentence):
    print("FAILED:", sentence)
    sys.exit(1)


def check(what, sentence):
    if not what:
        fail(sentence)


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Paint:
    """A running server."""

    def __init__(self, folder, *words, mode=("--no-objects",)):
        self.folder = folder
        self.process = subprocess.Popen([PROGRAM, "paint", *words, *mode, "--no-browser", "-q"], cwd=folder, stdout=subprocess.PIPE,
                                        stderr=open(os.path.join(HERE, "err"), "wb"), text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            fail("no address: " + read(os.path.join(HERE, "err")).decode())
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.token = self.address.split("/")[3]
        self.revision = {}

    def ask(self, method, path, body=None, headers=None, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {} if body is None else {"Content-Type": "application/json"}
        sent.update(headers or {})
        connection.request(method, "/" + (self.token if token is None else token) + "/" + path, body, sent)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content, answer

    def get(self, path):
        status, content, _ = self.ask("GET", path)
        check(status == 200, f"{path}: {status} {content[:300]}")
        return json.loads(content)

    def post(self, path, body, status=200):
        got, content, _ = self.ask("POST", path, json.dumps(body))
        check(got == status, f"{path}: {got} in place of {status}: {content[:300]}")
        return json.loads(content)

    def open(self, item=0):
        state = self.get(f"api/item/{item}")
        self.revision[item] = state["revision"]
        return state

    def edit(self, edit, item=0, status=200):
        answer = self.post(f"api/item/{item}/edit", {"revision": self.revision[item], "edit": edit}, status)
        if status == 200:
            self.revision[item] = answer["revision"]
        return answer

    def stroke(self, label, *points, radius=4, item=0):
        """Points and radius in pixels."""
        return self.edit({"stroke": {"label": label, "radius": 16 * radius, "points": [16 * p for p in points]}}, item)

    def wait(self, item=0):
        """Until the newest strokes are segmented and written."""
        after = 0
        for _ in range(200):
            news = self.get(f"api/item/{item}/news?after={after}")
            after = news["news"]
            if news["final"] and news["saved"] and news["revision"] == self.revision[item]:
                return news
        fail(f"no mask: {news}")

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        self.process.stdout.close()
        return self.process.wait(120)


def folder_with(*names):
    folder = tempfile.mkdtemp(dir=HERE)
    for name in names:
        shutil.copy(os.path.join(SOURCE, "images", name), folder)
    return folder


def in_folder(folder, name):
    return os.path.join(folder, name)


def run(folder, *words, shell=None):
    done = subprocess.run(shell or [PROGRAM, *words], cwd=folder, capture_output=True, shell=shell is not None)
    check(done.returncode == 0, f"{words or shell}: {done.returncode} {done.stderr[:300]}")


def same_as_command(paint, name, *options):
    """The mask that was written is that of `segment` from the scribbles that were written, and so is the shown one."""
    news = paint.wait()
    mask = read(in_folder(paint.folder, f"{name}-mask.png"))
    check(paint.ask("GET", "api/item/0/mask.png")[1] == mask, "the mask that is sent is not the file")
    words = " ".join([f"segment {name}.jpg --scribbles {name}-scribbles.png", *options])
    check(news["command"] == words, f"{news['command']} in place of {words}")
    command = news["command"].replace("segment ", f"'{PROGRAM}' ", 1)
    os.remove(in_folder(paint.folder, f"{name}-mask.png"))
    run(paint.folder, shell=command + " --no-overlay -q")
    check(read(in_folder(paint.folder, f"{name}-mask.png")) == mask, f"{command}: another mask")
    return news


def masks():
    for name, strokes in (("coffee", [(1, 250, 200, 330, 220), (2, 30, 20, 30, 380), (2, 560, 30, 570, 350)]),
                          ("chelsea", [(1, 200, 100, 260, 160), (2, 30, 20, 30, 200)])):
        paint = Paint(folder_with(f"{name}.jpg"), f"{name}.jpg")
        paint.open()
        for stroke in strokes:
            paint.stroke(*stroke)
        same_as_command(paint, name)
        if name == "coffee":
            paint.stroke(3, 300, 30, 330, 40)
            paint.stroke(0, 560, 30, 570, 350, radius=6)  # the eraser
            paint.edit({"delete": 0})
            paint.edit({"undo": True})
            for option, value in (("method", "kmeans"), ("regions", "5"), ("islands", "remove:3"), ("refine", "none")):
                paint.edit({"set": {"name": option, "value": value}})
                paint.edit({"set": {"name": option, "value": ""}})  # as at the start
            same_as_command(paint, name)
            paint.edit({"set": {"name": "refine", "value": "none"}})
            paint.edit({"set": {"name": "islands", "value": "remove:1,2"}})
            same_as_command(paint, name, "--refine", "none", "--islands", "remove:1,2")
            paint.edit({"set": {"name": "islands", "value": ""}})
            paint.edit({"delete": 3})
            paint.edit({"set": {"name": "object", "value": "1"}})
            same_as_command(paint, name, "--refine", "none", "--object")
            for _ in range(3):
                paint.edit({"undo": True})
            for option, value in (("refine", "nonsense"), ("nonsense", "1"), ("nonsense", ""), ("slices", "2"), ("channels", "2"), ("param", "termination=1")):
                paint.edit({"set": {"name": option, "value": value}}, status=400)  # slices are as the file says, and the parameter is of no method
            paint.edit({"base": []}, status=400)  # only files bring those
            labels(paint)
            same_as_command(paint, name, "--refine", "none", "--islands", "remove:1,2")
            exports(paint, name)
        check(paint.end() == 0, "not ended well")


def labels(paint):
    """Names and colours are acts: the server's list follows what counts."""
    wanted = [{"name": "cup", "colour": "#ff0000"}, {"name": "table d'hôte", "colour": "#00ff00"},
              {"name": "rest", "colour": "#0000ff"}]
    before = paint.get("api/state")["labels"]
    for i, one in enumerate(wanted):
        was = {"was": before[i]} if i < len(before) else {}
        paint.edit({"label": {"number": i + 1, **one, **was}})
    check(paint.get("api/state")["labels"] == wanted + before[3:], f"{paint.get('api/state')['labels']}")
    count = len(paint.get("api/state")["labels"])
    good = {"number": 1, "name": "a", "colour": "#123456"}
    for bad in ({}, [], {"number": 1}, {**good, "number": 0}, {**good, "number": 255}, {**good, "number": count + 2},
                {**good, "name": ""}, {**good, "name": "a:b"}, {**good, "name": "#a"}, {**good, "name": 5}, {**good, "name": "a" * 64},
                {**good, "colour": "red"}, {**good, "colour": "#000000"}, {**good, "colour": "#00ff00"}, {**good, "was": 1},
                {**good, "was": {"name": "a"}}, {**good, "more": 1}, {"number": 1, "hidden": 1}, {"number": 1, "hidden": True, "name": "a"}):
        paint.edit({"label": bad}, status=400)
    check(len(paint.get("api/state")["labels"]) == count, "what was refused is there")
    paint.edit({"label": {"number": 2, "hidden": True}})
    paint.edit({"undo": True})
    for one in reversed(wanted):
        paint.edit({"undo": True})
    check(paint.get("api/state")["labels"] == before, "undo of labels")
    for one in wanted:
        paint.edit({"redo": True})


def exports(paint, name):
    """All of them are the files of --export."""
    kinds = paint.get("api/state")["exports"]
    wanted = [word for kind in kinds if kind != "masks" for word in ("--export", f"{kind}={HERE}/own-{kind}")]
    run(paint.folder, f"{name}.jpg", "--scribbles", f"{name}-scribbles.png", "--labelmap", "segment-labels.txt", "-o",
        os.path.join(HERE, "m.png"), "-q", "--refine", "none", "--islands", "remove:1,2", "--overlay", f"{HERE}/own-overlay.png", *wanted)
    for kind in kinds + ["overlay"]:
        written = in_folder(paint.folder, paint.post("api/item/0/export", {"kind": kind})["written"])
        check(os.path.exists(written), f"{kind}: {written} is not there")
        if kind != "masks":
            own = read(f"{HERE}/own-{kind}" + (".png" if kind == "overlay" else ""))
            check(read(written) == own, f"{kind}: another export")
    paint.post("api/item/0/export", {"kind": "../../x"}, 400)
    paint.post("api/item/0/export", {}, 400)
    paint.post("api/item/0/export", {"kind": "cutout", "label": 1})
    check("no pixel" in paint.post("api/item/0/export", {"kind": "cutout", "label": 77}, 400)["error"], "a cut-out of nothing")
    check(os.path.exists(in_folder(paint.folder, f"{name}-cutout-1.png")) and not os.path.exists(in_folder(paint.folder, f"{name}-cutout-77.png")), "cut-outs")


def strangers():
    """Whoever has no business here is refused, the server lives, and nothing is written."""
    folder = folder_with("coffee.jpg")
    secret = os.path.join(HERE, "secret.txt")
    with open(secret, "w") as file:
        file.write("secret")
    paint = Paint(folder, "coffee.jpg")
    paint.open()
    before = sorted(os.listdir(folder))
    here = f"127.0.0.1:{paint.port}"
    edit = json.dumps({"revision": 0, "edit": {"clear": True}})
    for status, method, path, body, headers, token in (
            (403, "GET", "", None, {"Host": f"evil.example:{paint.port}"}, None),
            (403, "GET", "api/state", None, {"Origin": "http://evil.example"}, None),
            (403, "POST", "api/item/0/edit", edit, {"Origin": "http://evil.example"}, None),
            (403, "POST", "api/item/0/edit", edit, {"Sec-Fetch-Site": "cross-site"}, None),
            (403, "GET", "", None, {}, "0" * 32), (403, "GET", "api/state", None, {}, ""), (403, "GET", "", None, {}, "x"),
            (415, "POST", "api/item/0/edit", edit, {"Content-Type": "text/plain"}, None),
            (405, "PUT", "api/item/0/edit", edit, {}, None), (405, "OPTIONS", "api/item/0/edit", None, {}, None),
            (404, "GET", "api/item/1", None, {}, None), (404, "GET", "api/item/0/mask/0/0/0", None, {}, None),
            (404, "GET", "api/item/0/photo/0/999999/999999", None, {}, None),
            (404, "GET", "../" + secret, None, {}, None), (404, "GET", "..%2f..%2f" + secret.replace("/", "%2f"), None, {}, None),
            (404, "GET", "%2e%2e/%2e%2e/etc/passwd", None, {}, None), (404, "GET", secret, None, {}, None),
            (404, "GET", "coffee.jpg", None, {}, None), (404, "GET", "coffee-strokes.jsonl", None, {}, None),
            (415, "POST", "api/uncertainty", "{}", {"Content-Type": "text/plain"}, None), (405, "GET", "api/uncertainty", None, {}, None),
            (403, "POST", "api/uncertainty", "{}", {"Origin": "http://evil.example"}, None), (403, "POST", "api/uncertainty", "{}", {}, "0" * 32),
            (400, "POST", "api/uncertainty", "[true]", {}, None), (404, "POST", "api/uncertain", "{}", {}, None),
            (404, "POST", "api/item/0/uncertainty", "{}", {}, None),
            (400, "POST", "api/item/0/edit", "nonsense", {}, None), (400, "POST", "api/item/0/edit", "[]", {}, None),
            (400, "POST", "api/item/0/edit", "{}", {}, None), (400, "POST", "api/item/0/edit", "[" * 100000, {}, None),
            (400, "POST", "api/item/0/edit", '{"revision": 0, "edit": {"clear": true}, "edit": {}}', {}, None)):
        got, content, answer = paint.ask(method, path, body, headers, token)
        check(got == status, f"{method} {path} {headers}: {got} in place of {status}: {content[:200]}")
        check(b"secret" not in content, "a file was read")
    paint.post("api/item/0/edit", {"revision": 7, "edit": {"clear": True}}, 409)
    _, _, answer = paint.ask("GET", "")
    policy = answer.getheader("Content-Security-Policy")
    check("default-src 'none'" in policy and "unsafe" not in policy, f"policy: {policy}")
    check(answer.getheader("X-Content-Type-Options") == "nosniff", "no nosniff")
    # a body that is too long, told or not, is not read
    for head in (f"Content-Length: {100 << 20}\r\n", "Transfer-Encoding: chunked\r\n"):
        with socket.create_connection(("127.0.0.1", paint.port), 10) as sock:
            sock.sendall(f"POST /{paint.token}/api/item/0/edit HTTP/1.1\r\nHost: {here}\r\nContent-Type: application/json\r\n{head}\r\n".encode())
            check(sock.recv(100).split()[1] in (b"413", b"411"), "a long body is not refused")
    # half requests, and connections without number
    socks = []
    for i in range(1000):
        sock = socket.socket()
        sock.setblocking(False)
        sock.connect_ex(("127.0.0.1", paint.port))
        socks.append(sock)
        if i % 3 == 0:
            try:
                sock.send(f"GET /{paint.token}/ HTTP/1.1\r\nHost: 127".encode() if i % 2 else b"\x00\xff" * 50)
            except OSError:
                pass
    check(paint.process.poll() is None, "the server is gone")
    threads = len(os.listdir(f"/proc/{paint.process.pid}/task"))
    check(threads < 100, f"{threads} threads")
    for sock in socks:
        sock.close()
    for attempt in range(100):
        try:
            if paint.ask("GET", "api/state")[0] == 200:
                break
        except OSError:
            time.sleep(0.1)
    else:
        fail("the server does not answer any more")
    check(sorted(os.listdir(folder)) == before, f"files appeared: {os.listdir(folder)}")
    check(paint.end() == 0, "not ended well")


def killed():
    """Killed at any moment, nothing that was answered is lost."""
    folder = folder_with("coffee.jpg")
    points = [(1, 250, 200, 330, 220), (2, 30, 20, 30, 380), (2, 560, 30, 570, 350), (1, 240, 190, 250, 260)]
    for n, stroke in enumerate(points):
        paint = Paint(folder, "coffee.jpg")
        state = paint.open()
        check(state["at"] == n and len(state["acts"]) == n, f"{n} strokes were answered, {state['at']} are there")
        paint.stroke(*stroke)
        paint.end(signal.SIGKILL)
    with open(in_folder(folder, "coffee-strokes.jsonl"), "ab") as file:
        file.write(b'{"stroke":{"label":1,"rad')  # the stroke under the pen
    paint = Paint(folder, "coffee.jpg")
    check(paint.open()["at"] == 4, "a half line does harm")
    same_as_command(paint, "coffee")
    other = subprocess.Popen([PROGRAM, "paint", "coffee.jpg", "--no-browser", "-q"], cwd=folder, stdout=subprocess.PIPE, text=True)
    address = other.stdout.readline().strip()
    status = None
    connection = http.client.HTTPConnection("127.0.0.1", int(address.split(":")[2].split("/")[0]))
    connection.request("GET", "/" + address.split("/")[3] + "/api/item/0")
    answer = connection.getresponse()
    check(answer.status == 500 and b"in use" in answer.read(), "two have one journal")
    other.send_signal(signal.SIGINT)
    other.wait(60)
    paint.edit({"undo": True})
    check(paint.end() == 0, "not ended well")
    # written on the way out, and gone on with
    paint = Paint(folder, "coffee.jpg")
    check(paint.open()["at"] == 3, "an undo is forgotten")
    paint.edit({"redo": True})
    same_as_command(paint, "coffee")
    paint.edit({"clear": True})
    paint.wait()
    check(not os.path.exists(in_folder(folder, "coffee-mask.png")), "a mask of no strokes")
    paint.edit({"undo": True})
    same_as_command(paint, "coffee")
    # killed after the note that the scribbles are about to be written, and before they are
    scribbles, journal = in_folder(folder, "coffee-scribbles.png"), in_folder(folder, "coffee-strokes.jsonl")
    before = read(scribbles)
    paint.stroke(2, 100, 20, 200, 20)
    count = paint.revision[0]
    paint.wait()
    paint.end()
    lines = read(journal).splitlines(keepends=True)
    check(lines[-1] == b'{"saved":true}\n' and b'"saving"' in lines[-2], f"{lines[-2:]}")
    for noted in (lines[:-1], lines):
        with open(scribbles, "wb") as file:
            file.write(before)
        with open(journal, "wb") as file:
            file.write(b"".join(noted))
        paint = Paint(folder, "coffee.jpg")
        state = paint.open()
        another = state["revision"] > count
        check(another == (noted is lines) and another == ("another program" in state["remark"]), f"{state['revision']}, {count}: {state['remark']}")
        if not another:
            same_as_command(paint, "coffee")
        paint.end()


def existing():
    """Scribbles of another program are read, can be edited, and are taken over where they change."""
    folder = folder_with("coffee.jpg", "coffee-scribbles.png", "fig-scribbles.png", "fig.jpg")
    paint = Paint(folder, "coffee.jpg")
    before = read(in_folder(folder, "coffee-scribbles.png"))
    check("base" in paint.open()["acts"][0], "no marks")
    same_as_command(paint, "coffee")
    check(read(in_folder(folder, "coffee-scribbles.png")) == before, "opening has changed the scribbles")
    paint.stroke(0, 100, 100, 500, 300, radius=12)
    same_as_command(paint, "coffee")
    check(read(in_folder(folder, "coffee-scribbles.png")) != before, "the eraser has changed nothing")
    paint.end()
    shutil.copy(os.path.join(SOURCE, "images", "coffee-scribbles.png"), folder)
    paint = Paint(folder, "coffee.jpg")
    state = paint.open()
    check("another program" in state["remark"] and state["at"] == 3, f"a change is not seen: {state['remark']}")
    paint.end()
    # while the page is open: they are loaded, and undo brings back what was drawn
    paint = Paint(folder, "coffee.jpg")
    drawn = paint.open()["revision"]
    paint.wait()
    paint.stroke(1, 300, 200, 320, 210)
    paint.wait()
    shutil.copy(os.path.join(SOURCE, "images", "coffee-scribbles.png"), folder)
    paint.stroke(1, 300, 230, 320, 240)
    state = {"revision": 0}
    for _ in range(100):
        state = paint.open()
        if state["revision"] > drawn + 2:
            break
        time.sleep(0.1)
    check(state["revision"] == drawn + 3 and "another program" in state["remark"], f"another program's strokes are lost: {state['revision']}, {state['remark']}")
    same_as_command(paint, "coffee")
    check(read(in_folder(folder, "coffee-scribbles.png")) == before, "other scribbles or colours than the other program wrote")
    paint.edit({"undo": True})
    same_as_command(paint, "coffee")
    shutil.copy(os.path.join(SOURCE, "images", "coffee-scribbles.png"), folder)
    paint.stroke(1, 300, 250, 320, 260)
    check(paint.end() in (0, 1), "killed")  # 1: changed before the mask of the last stroke was written
    check(read(in_folder(folder, "coffee-scribbles.png")) == before, "overwritten at the end")
    # given by name
    paint = Paint(folder, "fig.jpg", "-s", "fig-scribbles.png", "-o", "out/masks")
    paint.open()
    paint.wait()
    check(sorted(os.listdir(in_folder(folder, "out/masks"))) == ["fig-mask.png", "fig-scribbles.png", "fig-strokes.jsonl"],
          f"{os.listdir(in_folder(folder, 'out/masks'))}")
    paint.end()


def unwritable():
    """A mask that cannot be written is told of, on the page and by the exit status; once it can be, it is written."""
    folder = folder_with("coffee.jpg")
    mask = in_folder(folder, "coffee-mask.png")
    for mended in (False, True):
        os.mkdir(mask)
        paint = Paint(folder, "coffee.jpg")
        paint.open()
        paint.stroke(1, 250, 200, 330, 220)
        news = {"outcome": {"message": ""}, "news": 0}
        while not news["outcome"]["message"].startswith("not saved"):
            news = paint.get(f"api/item/0/news?after={news['news']}")
        check(not news["saved"], "said to be saved")
        if mended:
            os.rmdir(mask)
        check(paint.end() == (0 if mended else 1), f"mended: {mended}")
        check(os.path.isfile(mask) == mended, "the mask")
        check(mended or b"does not show the last strokes" in read(os.path.join(HERE, "err")), "not a word")
        if not mended:
            os.rmdir(mask)


def namesakes():
    """Strokes of one image are not drawn on another of the same name; they stay with an image that is moved or changed in its place."""
    folder = folder_with("coffee.jpg")
    for name in ("a", "b", "c"):
        os.mkdir(in_folder(folder, name))
        write_ppm(in_folder(folder, f"{name}/x.ppm"), lambda x, y: (200, 0, 0) if x < (90 if name == "b" else 120) else (0, 0, 200))
    paint = Paint(folder, "a/x.ppm")
    paint.open()
    paint.stroke(1, 20, 20)
    paint.stroke(2, 200, 20)
    paint.wait()
    paint.end()
    mask = read(in_folder(folder, "x-mask.png"))
    paint = Paint(folder, "b/x.ppm")  # another
    status, content, _ = paint.ask("GET", "api/item/0")
    check(status == 500 and b"drawn on another image" in content and b"a/x.ppm" in content, f"{status} {content}")
    paint.end()
    check(read(in_folder(folder, "x-mask.png")) == mask, "overwritten")
    paint = Paint(folder, "b/x.ppm", "-o", "b")
    check(paint.open()["at"] == 0, "strokes of another folder")
    paint.end()
    paint = Paint(folder, "c/x.ppm")  # the same, elsewhere
    state = paint.open()
    check(state["at"] == 2 and not state["remark"], f"{state['at']} {state['remark']}")
    paint.end()
    shutil.copy(in_folder(folder, "b/x.ppm"), in_folder(folder, "c/x.ppm"))  # changed in its place
    for remark in (True, False):
        paint = Paint(folder, "c/x.ppm")
        state = paint.open()
        check(state["at"] == 2 and ("was changed" in state["remark"]) == remark, f"{state['at']} {state['remark']}")
        paint.end()
    lines = [line for line in read(in_folder(folder, "x-strokes.jsonl")).splitlines(keepends=True) if b'"photo"' not in line]
    with open(in_folder(folder, "x-strokes.jsonl"), "wb") as file:
        file.writelines(lines)  # a journal of before
    paint = Paint(folder, "a/x.ppm")
    check(paint.open()["at"] == 2, "an earlier journal")
    paint.end()


def folders():
    folder = folder_with("coffee.jpg", "chelsea.jpg", "fig.jpg")
    with open(in_folder(folder, "broken.jpg"), "wb") as file:
        file.write(b"\xff\xd8\xff nothing")
    paint = Paint(folder, ".", "-o", "masks")
    names = [image["name"] for image in paint.get("api/state")["images"]]
    check(names == ["broken", "chelsea", "coffee", "fig"], f"{names}")
    check(paint.ask("GET", "api/item/0")[0] == 500, "a broken image")
    for item in (1, 2, 3, 1, 2, 3):
        paint.open(item)
        paint.stroke(1, 200, 150, 220, 160, item=item)
        paint.stroke(2, 10, 10, 10, 100, item=item)
        check(len(paint.ask("GET", f"api/item/{item}/thumb")[1]) > 1000, "no small image")
    for item in (1, 2, 3):
        paint.open(item)
        paint.wait(item)
        check(os.path.exists(in_folder(folder, f"masks/{names[item]}-mask.png")), "no mask")
    check([image["drawn"] for image in paint.get("api/state")["images"]] == [False, True, True, True], "which are drawn")
    paint.edit({"label": {"number": 3, "name": "third", "colour": "#123456"}}, 1)
    paint.stroke(3, 100, 100, 110, 100, item=2)
    paint.wait(2)
    paint.end()
    paint = Paint(folder, ".", "-o", "masks")
    check([image["drawn"] for image in paint.get("api/state")["images"]] == [False, True, True, True], "a new start knows nothing")
    paint.open(1)
    paint.edit({"undo": True}, 1)
    check(paint.get("api/state")["labels"][2]["name"] == "third", "a label of an image that is not open is gone")
    paint.end()


def boxed():
    """A box of the command line gives a mask before any stroke."""
    folder = folder_with("chelsea.jpg")
    paint = Paint(folder, "chelsea.jpg", "--box", "100,50,200,200")
    paint.open()
    paint.wait()
    check(paint.end() == 0, "not ended well")
    run(folder, "chelsea.jpg", "--box", "100,50,200,200", "-o", "own.png", "--no-overlay", "-q")
    check(read(in_folder(folder, "chelsea-mask.png")) == read(in_folder(folder, "own.png")), "another mask of the box")


def replaced():
    """An image that is replaced while it is open: no edit is made and no mask written for one that is there no more."""
    folder = folder_with()
    path, mask, keep = (in_folder(folder, name) for name in ("new.ppm", "new-mask.png", "keep.ppm"))
    words = "segment new.ppm --scribbles new-scribbles.png"

    def image(border, width=240):
        write_ppm(in_folder(folder, "next.ppm"), lambda x, y: (200 + (x * 7 + y * 13) % 23, 60, 0) if x < border else (0, 90, 160), width)
        os.replace(in_folder(folder, "next.ppm"), path)

    image(100)
    write_ppm(in_folder(folder, "other.ppm"), lambda x, y: (200, 0, 0) if x < 90 else (0, 0, 200))
    paint = Paint(folder, "new.ppm", "other.ppm")
    paint.open()
    for stroke in ((1, 20, 20, 20, 140), (2, 200, 20, 200, 140)):
        paint.stroke(*stroke)
    before = of_command(paint, words)

    def refused(status, sentence):
        answer = paint.edit({"stroke": {"label": 2, "radius": 64, "points": [3600, 320, 3600, 640]}}, status=status)
        check(sentence in answer["error"] and "new.ppm" in answer["error"], f"{answer}")

    # the same bytes in another file, or at another time, are the same image
    shutil.copy(path, keep)
    os.replace(keep, path)
    paint.stroke(1, 30, 20, 30, 140)
    os.utime(path, (1, 1))
    paint.edit({"undo": True})
    check(of_command(paint, words) == before, "undo of a stroke")
    # another image of the same size: the strokes are kept, and give its mask once it is loaded again
    image(60)
    refused(412, "was changed by another program")
    check(read(mask) == before, "the mask was overwritten")
    state = paint.open()
    check(state["at"] == 2 and "the new image is shown" in state["remark"], f"{state['at']}, {state['remark']}")
    second = of_command(paint, words)
    check(second != before, "the mask of the earlier image")
    paint.stroke(2, 190, 20, 190, 140)
    second = of_command(paint, words)
    # no image, and then the same again
    os.rename(path, keep)
    refused(410, "is missing")
    status, content, _ = paint.ask("GET", "api/item/0")
    check(status == 500 and b"new.ppm" in content, f"{status} {content}")
    check(read(mask) == second, "the mask was overwritten")
    os.rename(keep, path)
    check(paint.open()["at"] == 3, "the strokes are gone")
    paint.wait()
    # another size
    shutil.copy(path, keep)
    image(60, 120)
    refused(412, "was changed by another program")
    status, content, _ = paint.ask("GET", "api/item/0")
    check(status == 500 and b"another size" in content, f"{status} {content}")
    check(read(mask) == second, "the mask was overwritten")
    os.rename(keep, path)
    paint.open()
    check(of_command(paint, words) == second, "the image that is back has another mask")
    # what an edit of another image has written anew: no edit is made on an image that the page does not show
    paint.open(1)
    paint.open()
    paint.wait()
    image(100)
    after = photo = paint.get("api/item/0/news?after=0")["photo"]
    paint.edit({"label": {"number": 1, "name": "sea", "colour": "#123456"}}, item=1)
    while True:
        news = paint.get(f"api/item/0/news?after={after}")
        after = news["news"]
        if news["open"] and news["photo"] > photo:
            break
    check("the page shows the earlier one" in paint.edit({"undo": True}, status=412)["error"], "an edit of what is not shown")
    paint.open()
    of_command(paint, words)
    # what is exported
    image(60)
    check("no mask" in paint.post("api/item/0/export", {"kind": "overlay"}, 409)["error"], "an export of two images")
    check(paint.end() == 0, "not ended well")


def write_ppm(path, colour, width=240):
    """160 rows of pixels, colour(x, y) each."""
    with open(path, "wb") as file:
        file.write(b"P6 %d 160 255\n" % width + b"".join(bytes(colour(x, y)) for y in range(160) for x in range(width)))


def series():
    """A folder with a model of reddish left of bluish, and new images; a green square in all of them nobody has marked."""
    folder = folder_with()
    os.mkdir(in_folder(folder, "photos"))

    def photo(border):
        def colour(x, y):
            e = (x * 7 + y * 13) % 23
            if 170 <= x < 230 and 40 <= y < 100:
                return 20 + e, 200 + e, 30
            return (200 + e, 60, 0) if x < border else (0, 90, 160 + e)
        return colour

    def marks(border):
        return lambda x, y: (0, 0, 0) if y not in (30, 31, 120) or abs(x - border) < 15 else (0, 255, 0) if x < border else (255, 0, 0)

    for name, border in (("a", 120), ("b", 80), ("c", 160)):
        write_ppm(in_folder(folder, f"photos/{name}.ppm"), photo(border))
        write_ppm(in_folder(folder, f"photos/{name}-scribbles.ppm"), marks(border))
    for name, border in (("new", 100), ("other", 130)):
        write_ppm(in_folder(folder, f"{name}.ppm"), photo(border))
    with open(in_folder(folder, "map.txt"), "w") as file:
        file.write("right:255,0,0\nleft:0,255,0\n")
    run(folder, "learn", "photos", "--labelmap", "map.txt", "-o", "the series.model", "-q")
    return folder


def of_command(paint, words, name="new"):
    """What the page shows is the mask that this command line makes. @return its bytes"""
    news = paint.wait()
    path = in_folder(paint.folder, f"{name}-mask.png")
    check(news["command"] == words, f"{news['command']} in place of {words}")
    mask = read(path)
    check(paint.ask("GET", "api/item/0/mask.png")[1] == mask, "the mask that is sent is not the file")
    run(paint.folder, shell=words.replace("segment ", f"'{PROGRAM}' ", 1) + " -o own.png --no-overlay -q")
    check(read(in_folder(paint.folder, "own.png")) == mask, f"{words}: another mask")
    return mask


def modelled():
    """A page that begins with the mask of a model: strokes correct it, and every mask is that of `segment --model`."""
    folder = series()
    scribbles = in_folder(folder, "new-scribbles.png")
    bare, both = "segment new.ppm --model 'the series.model'", "segment new.ppm --scribbles new-scribbles.png --model 'the series.model'"
    paint = Paint(folder, "new.ppm", "--model", "the series.model")
    check(paint.open()["revision"] == 0, "something was drawn")
    state = paint.get("api/state")
    wanted = [{"name": "right", "colour": "#ff0000", "fixed": True}, {"name": "left", "colour": "#00ff00", "fixed": True}]
    check(state["labels"] == wanted and state["model"]["name"] == "the series.model", f"{state['labels']}, {state['model']}")
    check([one["choices"] for one in state["options"] if one["name"] == "method"] == [["auto"]], "methods that cannot use a model")
    first = of_command(paint, bare)
    outcome = paint.wait()["outcome"]
    check(outcome["unknown"] == 3600 and [one["label"] for one in outcome["regions"]] == [1, 2], f"{outcome['regions']}, {outcome['unknown']}")
    check(not os.path.exists(scribbles) and not os.path.exists(in_folder(folder, "segment-labels.txt")), "files of no strokes")
    paint.post("api/uncertainty", {"shown": True})
    while not paint.wait()["outcome"]["uncertainty"]:
        pass
    check(len(paint.ask("GET", "api/item/0/uncertainty/0/0/0")[1]) == 240 * 160, "no uncertainty")
    # one stroke alone, of a label of the model and of a new one; back to none
    paint.stroke(1, 60, 100, 70, 140)
    check(of_command(paint, both) != first, "a stroke changes nothing")
    paint.edit({"undo": True})
    check(of_command(paint, bare) == first and not os.path.exists(scribbles), "undo does not bring the model's mask back")
    paint.edit({"label": {"number": 3, "name": "square", "colour": "#123456"}})
    paint.stroke(3, 180, 50, 220, 90)
    third = of_command(paint, both)
    check(paint.wait()["outcome"]["unknown"] < 1000, "the stroke does not say what is unknown")
    paint.edit({"set": {"name": "no-unknown", "value": "1"}})
    of_command(paint, both + " --no-unknown")
    check(paint.wait()["outcome"]["unknown"] == 0, "--no-unknown leaves something unknown")
    paint.edit({"undo": True})
    # what a model cannot be joined with; names are nobody's but the user's
    for bad, words in (({"set": {"name": "regions", "value": "3"}}, "labels of its own"),
                       ({"set": {"name": "object", "value": "1"}}, "object"),
                       ({"set": {"name": "method", "value": "ncut"}}, "not with ncut"), ({"set": {"name": "graph", "value": "full"}}, "graph"),
                       ({"label": {"number": 1, "name": "right", "colour": "#0000ff", "was": {"name": "right", "colour": "#ff0000"}}}, "colours")):
        refused = paint.edit(bad, status=400)["error"]
        check(words in refused, f"{bad}: {refused}")
    paint.edit({"label": {"number": 1, "name": "sea", "colour": "#ff0000", "was": {"name": "right", "colour": "#ff0000"}}})
    check(of_command(paint, both) == third, "a name changes the mask")
    paint.end(signal.SIGKILL)
    # from the journal; the label map beside the masks keeps names, the model its colours
    with open(in_folder(folder, "segment-labels.txt"), "w") as file:
        file.write("sea:1,2,3\nleft:255,0,0\nsquare:0,255,0\n")
    paint = Paint(folder, "new.ppm", "--model", "the series.model")
    check(paint.open()["at"] == 3, "not what was drawn")
    labels = paint.get("api/state")["labels"]
    check([(one["name"], one["colour"], one.get("fixed")) for one in labels[:2]] == [("sea", "#ff0000", True), ("left", "#00ff00", True)], f"{labels}")
    check(labels[2]["name"] == "square" and labels[2]["colour"] not in ("#ff0000", "#00ff00") and "fixed" not in labels[2], f"{labels}")
    of_command(paint, both)
    for _ in range(3):
        paint.edit({"undo": True})
    check(of_command(paint, bare) == first, "undo of everything is not the model's mask")
    for _ in range(3):
        paint.edit({"redo": True})
    of_command(paint, both)
    paint.edit({"clear": True})
    check(of_command(paint, bare) == first, "clear is not the model's mask")
    check(paint.end() == 0, "not ended well")
    given_with_model(folder)
    earlier_acts()
    many_with_model(folder)


def given_with_model(folder):
    """Scribbles to begin with: the model says which colour is which label, whatever the order of the colours."""
    write_ppm(in_folder(folder, "given.ppm"), lambda x, y: (0, 255, 0) if x == 5 and y > 80 else (255, 0, 0) if x == 235 and y > 110 else (0, 0, 0))
    paint = Paint(folder, "new.ppm", "-s", "given.ppm", "--model", "the series.model", "-o", "given")
    base = paint.open()["acts"][0]["base"]
    check({(base[i], base[i + 1] % 240) for i in range(0, len(base), 3)} == {(1, 235), (2, 5)}, f"labels are not the model's: {base[:30]}")
    paint.wait()
    mask = read(in_folder(folder, "given/new-mask.png"))
    for scribbles in ("given.ppm", "given/new-scribbles.png"):
        run(folder, "new.ppm", "-s", scribbles, "--model", "the series.model", "-o", "own.png", "--no-overlay", "-q")
        check(read(in_folder(folder, "own.png")) == mask, f"{scribbles}: another mask")
    check(paint.end() == 0, "not ended well")


def earlier_acts():
    """What was said without a model, and does not go with one, is told and can be taken back."""
    folder = series()
    paint = Paint(folder, "new.ppm")
    paint.open()
    paint.edit({"set": {"name": "regions", "value": "3"}})
    paint.end()
    paint = Paint(folder, "new.ppm", "--model", "the series.model", "--max-memory", "1G")
    paint.open()
    news = paint.wait()
    check("labels of its own" in news["outcome"]["message"] and not news["outcome"]["mask"], f"{news}")
    check(not os.path.exists(in_folder(folder, "new-mask.png")), "a mask of what cannot be joined")
    paint.edit({"set": {"name": "defaults", "value": ""}})
    of_command(paint, "segment new.ppm --model 'the series.model'")
    paint.edit({"undo": True})
    paint.wait()
    check(not os.path.exists(in_folder(folder, "new-mask.png")), "the mask of other options stays")
    check(paint.end() == 0, "not ended well")


def many_with_model(folder):
    """Of several images those that are opened get their masks; whoever ends at once waits for none."""
    shutil.copy(in_folder(folder, "new.ppm"), in_folder(folder, "last.ppm"))
    paint = Paint(folder, "new.ppm", "other.ppm", "last.ppm", "--model", "the series.model", "-o", "masks")
    for item in (0, 1):
        paint.open(item)
    for item, name in enumerate(("new", "other")):
        paint.wait(item)
        run(folder, f"{name}.ppm", "--model", "the series.model", "-o", "own.png", "--no-overlay", "-q")
        check(read(in_folder(folder, f"masks/{name}-mask.png")) == read(in_folder(folder, "own.png")), f"{name}: another mask")
    check([image["drawn"] for image in paint.get("api/state")["images"]] == [False] * 3, "something was drawn")
    check(paint.end() == 0, "not ended well")
    check(sorted(name for name in os.listdir(in_folder(folder, "masks")) if "mask" in name) == ["new-mask.png", "other-mask.png"], "a mask nobody looked at")
    paint = Paint(folder, "last.ppm", "--model", "the series.model", "-o", "masks")
    check(paint.end() == 0, "not ended well")


def pens():
    """The stroke under the pen has its mask, and leaves nothing behind."""
    paint = Paint(folder_with("coffee.jpg"), "coffee.jpg")
    paint.open()
    paint.stroke(1, 250, 200, 330, 220)
    paint.post("api/item/0/pen", {"revision": 1, "stroke": {"label": 2, "radius": 64, "points": [480, 320, 480, 4000]}})
    after = 0
    while True:
        news = paint.get(f"api/item/0/news?after={after}")
        after = news["news"]
        if news["outcome"]["pen"] and news["outcome"]["mask"]:
            break
    check(not news["final"], "a mask of the pen is none of the strokes")
    paint.post("api/item/0/pen", {"revision": 1, "stroke": {"label": 2}}, 400)
    paint.post("api/item/0/pen", {"revision": 0})  # overtaken by an edit
    check(paint.get("api/item/0/news?after=0")["outcome"]["pen"], "a pen that came late was taken")
    paint.post("api/item/0/pen", {"revision": 1})
    outcome = paint.wait()["outcome"]
    check(outcome["mask"] and not outcome["pen"], "the stroke was not drawn")
    paint.post("api/uncertainty", {"shown": True})
    paint.stroke(2, 30, 20, 30, 380)
    same_as_command(paint, "coffee")
    check(len(paint.ask("GET", "api/item/0/uncertainty/0/0/0")[1]) == 512 * 400, "no uncertainty")
    paint.end()


def corrected():
    """A mask to correct is there before any stroke; a stroke changes it where it is, as on the command line; a new start keeps it."""
    folder = folder_with("chelsea.jpg", "chelsea-scribbles.png")
    run(folder, "chelsea.jpg", "-s", "chelsea-scribbles.png", "-o", "rough.png", "--no-overlay", "-q")
    os.remove(in_folder(folder, "chelsea-scribbles.png"))
    words = ["chelsea.jpg", "--start", "rough.png", "-o", "out"]
    paint = Paint(folder, *words)
    paint.open()
    paint.wait()
    first = paint.ask("GET", "api/item/0/mask.png")[1]
    run(folder, "chelsea.jpg", "--start", "rough.png", "-o", "whole.png", "--no-overlay", "-q")
    check(first == read(in_folder(folder, "whole.png")), "the first mask is not the start")
    paint.stroke(4, 300, 100, 320, 120)
    command = paint.wait()["command"]
    second = paint.ask("GET", "api/item/0/mask.png")[1]
    check(second != first and "--start rough.png" in command, f"a stroke changes nothing: {command}")
    run(folder, shell=command.replace("segment ", f"'{PROGRAM}' ", 1) + " -o again.png --no-overlay -q")
    check(second == read(in_folder(folder, "again.png")), f"{command}: another mask")
    check(paint.end() == 0, "the server did not end well")
    paint = Paint(folder, *words)
    paint.open()
    paint.wait()
    check(paint.ask("GET", "api/item/0/mask.png")[1] == second, "a new start gives another mask")
    paint.edit({"undo": True})
    paint.wait()
    check(paint.ask("GET", "api/item/0/mask.png")[1] == first, "undo does not bring the start back")
    paint.end()


def write_npy(path, shape, samples):
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}}}".encode().ljust(117) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + samples)


def arrays():
    """A ball in four slices of an array, of one channel, of three colours and of five channels: its mask is that of the command."""
    for many in (), (3,), (5,):
        folder, state = tempfile.mkdtemp(dir=HERE), random.Random(1)
        inside = [(x - 60) ** 2 + (y - 40) ** 2 + (20 * z - 30) ** 2 < 1000 for z in range(4) for y in range(80) for x in range(120)]
        write_npy(in_folder(folder, "v.npy"), (4, 80, 120, *many), bytes(state.randrange(60) + 90 * is_in for is_in in inside for c in range(*many or [1])))
        paint = Paint(folder, "v.npy", "--slices", "3")
        status, answer, _ = paint.ask("GET", "api/item/0")
        check(status == 500 and b"'v.npy' has 4 slices, not 3" in answer, f"three slices of four: {status} {answer[:200]}")
        paint.end()
        paint = Paint(folder, "v.npy", "--slices", "4")
        shown = paint.open()
        check((shown["width"], shown["height"], shown["slices"]) == (120, 320, 4), f"not four slices: {shown}")
        paint.stroke(1, 50, 160 + 40, 70, 160 + 40)
        paint.stroke(2, 10, 160 + 8, 110, 160 + 8)
        command = paint.wait()["command"]
        run(folder, shell=command.replace("segment ", f"'{PROGRAM}' ", 1) + " -q --no-overlay -o again.tif --export npy")
        check(read(in_folder(folder, "v-mask.tif")) == read(in_folder(folder, "again.tif")), f"{command}: another mask")
        labels = read(in_folder(folder, "again.npy"))[-len(inside):]
        right = sum((label == 1) == is_in for label, is_in in zip(labels, inside))
        check(right > 0.9 * len(inside), f"{many}: {right} of {len(inside)} voxels are right")
        check(paint.end() == 0, "the server did not end well")


def channels():
    """A disc that the last of five channels shows, in an array or in a file for each: a model, strokes, the overlay of the first three."""
    folder, state, named = tempfile.mkdtemp(dir=HERE), random.Random(1), "c0.pgm,c1*,c2.pgm,c3.pgm,c4.pgm"
    for name, left in (("old", 80), ("new", 120)):
        inside = [(i % 240 - left) ** 2 + (i // 240 - 80) ** 2 < 2500 for i in range(38400)]
        samples = bytes(state.randrange(60) + 90 * (is_in and c == 4) for is_in in inside for c in range(5))
        write_npy(in_folder(folder, name + ".npy"), (160, 240, 5), samples)
    os.mkdir(in_folder(folder, "new"))
    for c in range(5):
        with open(in_folder(folder, f"new/c{c}.pgm"), "wb") as file:
            file.write(b"P5 240 160 255\n" + samples[c::5])
    write_ppm(in_folder(folder, "old-scribbles.ppm"), lambda x, y: (255 * (x == 80), 255 * (x == 200), 0) if 50 < y < 110 else (0, 0, 0))
    run(folder, "learn", "old.npy", "-o", "a.model", "-q")
    masks = []
    for image, words in (("new.npy", "--channels 5"), ("new", f"--channels '{named}'")):
        paint = Paint(folder, image, "--model", "a.model", *(["--channels", named] if image == "new" else []))
        paint.open()
        masks.append(of_command(paint, f"segment {image} --model a.model {words}"))
        paint.stroke(2, 10, 10, 230, 10)
        masks.append(of_command(paint, f"segment {image} --scribbles new-scribbles.png --model a.model {words}"))
        run(folder, shell=f"'{PROGRAM}' {image} -s new-scribbles.png --model a.model {words} -q -o m.png")
        written = in_folder(folder, paint.post("api/item/0/export", {"kind": "overlay"})["written"])
        check(read(written) == read(in_folder(folder, "m-overlay.png")), "another overlay")
        check(len(paint.ask("GET", "api/item/0/thumb")[1]) == 4 * 240 * 160 + 4, "no thumbnail")
        check(paint.end() == 0, "the server did not end well")
        os.remove(in_folder(folder, "new-strokes.jsonl"))
        os.remove(in_folder(folder, "new-scribbles.png"))
    check(masks[:2] == masks[2:] and masks[0] != masks[1], "other masks of files than of the array")


def spaced():
    """The file says how far apart the slices of a volume in the working folder are."""
    paint = Paint(os.getcwd(), "mm.ome.tif")
    paint.open()
    for label in 1, 2:
        paint.stroke(label, 20 * label, 30, 20 * label + 5, 40)
    check(paint.wait()["command"].endswith(" --slices 2 --spacing 2") and paint.end() == 0, "the file's distance of slices is not used")


def runs_of(labels):
    """Of the pixels of label 1."""
    runs = []
    for i in [i for i, label in enumerate(labels) if label == 1]:
        if runs and runs[-2] + runs[-1] == i:
            runs[-1] += 1
        else:
            runs += [1, i, 1]
    return runs


def objects():
    """Object mode: finished objects stay as they are, in every way to the same mask."""
    folder, width = folder_with(), 560  # two tiles

    def colour(x, y):
        more = (x * 7 + y * 13) % 23
        return (180 + more, 60, 50) if math.hypot(x - 280, y - 80) < 40 else (60, 70, 160 + more) if math.hypot(x - 100, y - 80) < 35 else (70, 110 + more, 70)

    write_ppm(in_folder(folder, "discs.ppm"), colour, width)
    write_ppm(in_folder(folder, "other.ppm"), colour)
    paint = Paint(folder, "discs.ppm", "other.ppm", mode=())

    def mask():
        paint.wait()
        rows = [paint.ask("GET", f"api/item/0/mask/0/{column}/0")[1] for column in (0, 1)]
        return b"".join(rows[0][512 * y:512 * (y + 1)] + rows[1][48 * y:48 * (y + 1)] for y in range(160))

    check(paint.open()["initial"].get("object"), "a new image is not in object mode")
    paint.stroke(2, 20, 20, 20, 140)
    paint.stroke(1, 265, 70, 295, 90)
    one = mask()
    check(set(one) == {1, 2}, f"labels {set(one)}")
    runs = runs_of(one)
    for bad in ([1, width * 160 - 1, 2], [1, width * 160 - 1.5, 1], [1, None, 1], [1.0, width * 160 - 1, 1], [255, width * 160 - 1, 1], [1, runs[-2], 1]):
        paint.edit({"finish": runs + bad}, status=400)
    paint.edit({"finish": runs})
    check(mask() == one, "a finished object is another")
    paint.stroke(2, 280, 80)  # within it: not drawn
    paint.stroke(2, 100, 80)
    paint.stroke(3, 530, 20)
    two = mask()
    check(set(two) == {1, 2, 3} and all((a == 1) == (b == 1) for a, b in zip(one, two)), "a second object changes the first")
    paint.edit({"set": {"name": "box", "value": "55,35,90,90"}})
    mask()
    paint.edit({"undo": True})
    check(mask() == two, "undo of a box")
    paint.edit({"set": {"name": "region", "value": "280,10,280,150"}})
    part = mask()
    check(all(b == (a if a == 1 else 0) for i, (a, b) in enumerate(zip(two, part)) if i % width < 280 or i < 10 * width)
          and {b for i, b in enumerate(part) if i % width >= 280 and i >= 10 * width} == {1, 3}, "a region in object mode")  # no stroke of object 2 is in it
    paint.edit({"set": {"name": "region", "value": ""}})
    check(0 not in mask(), "a region that is taken away")
    paint.edit({"undo": True})
    check(mask() == part, "undo of a region's end")
    paint.edit({"undo": True})
    check(mask() == two, "undo of a region")
    paint.edit({"undo": True})
    paint.wait()
    paint.edit({"redo": True})
    check(mask() == two, "undo and redo")
    paint.end()
    paint = Paint(folder, "discs.ppm", "other.ppm")
    check(paint.open()["initial"].get("object"), "the mode is lost")
    check(mask() == two, "a new start")
    check(not paint.open(1)["initial"].get("object"), "a new image with --no-objects is in object mode")
    paint.end()
    paint = Paint(folder, "discs.ppm", "-k", "3")
    check(not paint.open()["initial"].get("object"), "object mode of three regions")
    paint.end()
    # an image that was only looked at is new; strokes of before object mode stay what they were
    for is_drawn in (False, True):
        paint = Paint(folder, "other.ppm", mode=())
        check(bool(paint.open()["initial"].get("object")) != is_drawn, f"drawn: {is_drawn}")
        paint.end()
        paint = Paint(folder, "other.ppm")
        check(not paint.open()["initial"].get("object"), "the option does nothing")
        paint.stroke(2, 100, 100)
        paint.wait()
        paint.end()


def alike():
    """Two discs that look the same, and touch: the next is found beside the finished one."""
    width, height, radius = 400, 240, 55
    within = lambda i, x: (i % width - x) ** 2 + (i // width - 120) ** 2 < radius ** 2
    discs = [[within(i, x) for i in range(width * height)] for x in (140, 250)]
    state = random.Random(1)
    pixels = bytearray()
    for i in range(width * height):
        for value in (180, 60, 50) if discs[0][i] or discs[1][i] else (70, 110, 70):
            pixels.append(min(255, max(0, round(state.gauss(value, 12)))))
    folder = tempfile.mkdtemp(dir=HERE)
    with open(in_folder(folder, "discs.bmp"), "wb") as file:
        file.write(struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 54 + len(pixels), 0, 0, 54, 40, width, -height, 1, 24, 0, len(pixels), 0, 0, 0, 0))
        file.write(pixels)
    paint = Paint(folder, "discs.bmp", mode=())
    paint.open()

    def labels():
        paint.wait()
        return paint.ask("GET", "api/item/0/mask/0/0/0")[1]

    paint.stroke(1, 140, 120)
    paint.stroke(2, 250, 120)
    one = labels()
    paint.edit({"finish": runs_of(one)})
    paint.stroke(2, 250, 120)
    two = labels()
    for label, disc in enumerate(discs, 1):
        both, either = (sum(how((two[i] == label, disc[i])) for i in range(len(two))) for how in (all, any))
        check(both > 0.9 * either, f"disc {label}: {both} of {either} pixels")
    paint.end()


try:
    for test in [globals()[name] for name in sys.argv[3:]] or (masks, strangers, replaced, killed, existing, unwritable, namesakes, folders, boxed, pens, modelled, corrected, arrays, channels, objects, alike):
        began = time.monotonic()
        test()
        print(f"{test.__name__}: good, {time.monotonic() - began:.1f} s")
finally:
    shutil.rmtree(HERE, ignore_errors=True)
