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
      // The cuts go through the middle of the last stroke, the background's: along its row is the ball, along its column is none.
      const cuts = () => page.evaluate(() => [...document.getElementById("cuts").children].map((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height), ball = [];
        for (let i = 0; i < data.length; i += 4) if (data[i] > data[i + 2] + 20) ball.push([(i / 4) % canvas.width, Math.floor(i / 4 / canvas.width)]);
        const range = (k) => [Math.min(...ball.map((at) => at[k])), Math.max(...ball.map((at) => at[k]))];
        return { size: [canvas.width, canvas.height], ball: ball.length && [range(0), range(1)].flat() };
      }));
      await page.waitForFunction(() => {
        const [canvas] = document.getElementById("cuts").children, [red, , blue] = canvas.getContext("2d").getImageData(85, 40, 1, 1).data;
        return red > blue + 20;
      });
      const [row, column] = await cuts(), near = (a, b) => a.every((v, i) => Math.abs(v - b[i]) <= 12);
      check(`${row.size}; ${column.size}` === "170,102; 102,128" && column.ball === 0, `cuts: ${JSON.stringify([row, column])}`);
      check(near(row.ball, [43, 127, 9, 93]), `the ball's cut is ${row.ball}`); // radius 30 of 120 columns and, 8 pixels apart, 9 slices
      await shot(page, "volume");
      const clickCut = async (which, x, y) => {
        const { left, top } = await page.evaluate((i) => document.getElementById("cuts").children[i].getBoundingClientRect().toJSON(), which);
        await page.mouse.click(left + x, top + y);
      };
      await clickCut(0, 20, 98);
      check((await number()) === "slice 9 of 9", "a click on a cut does not show its slice");
      await clickCut(1, 3, 20);
      check((await number()) === "slice 1 of 9", "a click on the other cut does not show its slice");
      await page.keyboard.press("c");
      check(await page.evaluate(() => document.getElementById("cuts").hidden), "the key does not hide the cuts");
      await page.keyboard.press("c");
      await inPage(page, "view.js", ({ showSlice }) => showSlice(4));
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
