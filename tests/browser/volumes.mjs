// Volumes: a slider of slices, and strokes that stay on theirs.

import { spawnSync } from "node:child_process";
import { check, closePage, drawnAndSaved, inPage, openPage, paintStroke } from "./lib.mjs";

const SLICES = 9, HEIGHT = 90;

// A ball in noise, by PIL: a page for each slice.
const MAKE = `
import numpy as np
from PIL import Image
z, y, x = np.mgrid[:${SLICES}, :${HEIGHT}, :120]
ball = ((z - 4) * 8) ** 2 + (y - 45) ** 2 + (x - 60) ** 2 < 30 ** 2
pages = [Image.fromarray(p) for p in (np.where(ball, 170, 70) + np.random.default_rng(1).integers(-20, 20, ball.shape)).astype(np.uint8)]
pages[0].save("stack.tif", save_all=True, append_images=pages[1:])
`;

// Pages of a TIFF of labels with a label: how many pixels.
const COUNT = `
import sys
import numpy as np
from PIL import Image
pages = Image.open(sys.argv[1])
for i in range(pages.n_frames):
    pages.seek(i)
    print((np.array(pages) == int(sys.argv[2])).sum())
`;

export function volumeTests({ desk, browser, shot }) {
  const python = (paint, ...words) => {
    const done = spawnSync("/usr/bin/python3", ["-c", ...words], { cwd: paint.folder ?? paint, encoding: "utf8" });
    check(done.status === 0, `python3-pil and python3-numpy: ${done.stderr}`);
    return done.stdout.trim().split("\n").map(Number);
  };
  const rows = (slice, points) => points.map(([x, y]) => [x, y + slice * HEIGHT]);

  return {
    async a_volume_has_a_slider() {
      const folder = desk.folder();
      python(folder, MAKE);
      const paint = await desk.paintObjects(folder, "stack.tif", "--spacing", "8");
      const page = await openPage(browser, paint);
      const number = () => page.evaluate(() => document.querySelector("#slices output").textContent);
      check((await number()) === "slice 5 of 9", "the page does not begin in the middle");
      await paintStroke(page, rows(4, [[50, 45], [70, 45]]));
      // A stroke beyond the slice's border stays on it.
      await inPage(page, "labels.js", ({ choose }) => choose(2));
      await paintStroke(page, rows(4, [[10, 10], [10, 89]]));
      await drawnAndSaved(page);
      const marks = python(paint, COUNT, "stack-scribbles.tif", "2");
      check(marks.length === SLICES && marks.every((count, i) => (i === 4) === count > 0), `marks on slices: ${marks}`);
      const ball = python(paint, COUNT, "stack-mask.tif", "1");
      check(ball[4] > 2000 && ball[2] > 1000 && ball[2] < ball[4] && ball[0] === 0 && ball[8] === 0, `the ball's slices have ${ball} pixels`);
      await shot(page, "volume");
      await page.keyboard.press(".");
      await page.keyboard.press(".");
      check((await number()) === "slice 7 of 9", "the key does not show another slice");
      await shot(page, "volume-7");
      for (let i = 0; i < 5; i++) await page.keyboard.press(".");
      check((await number()) === "slice 9 of 9", "there is a slice behind the last");
      await inPage(page, "view.js", ({ showSlice }) => showSlice(0));
      await paintStroke(page, rows(0, [[60, 30], [60, 60]]));
      await drawnAndSaved(page);
      check(python(paint, COUNT, "stack-scribbles.tif", "2")[0] > 0, "a stroke on the first slice is missing");
      check(await page.evaluate(() => document.getElementById("do-box").disabled), "a volume has boxes");
      // The same bytes as by the command line.
      const done = spawnSync(paint.program, ["stack.tif", "-s", "stack-scribbles.tif", "--spacing", "8", "-o", "own.tif", "-q"], { cwd: paint.folder });
      check(done.status === 0 && paint.file("own.tif").equals(paint.file("stack-mask.tif")), "the mask is not that of the command line");
      await page.reload();
      await page.waitForFunction(() => document.body.dataset.final);
      check((await inPage(page, "drawing.js", ({ visible }) => visible().length)) === 3, "strokes are lost with the page");
      await closePage(page);
    },
  };
}
