// The animated picture of the README: two strokes on an image, and the mask; then further ones, where it is wrong.
//
//     tests/browser/run.sh FOLDER animation.mjs SEGMENT SOURCE FRAMES      then scripts/paint-picture.sh puts them together

import { join } from "node:path";
import { Desk, drawnAndSaved, inPage, launch, openPage, toWindow } from "./lib.mjs";

const [program, source, frames] = process.argv.slice(2);
const desk = new Desk(program, source);
const browser = await launch();
const paint = await desk.paint(desk.folder("fig.jpg"), "fig.jpg");
const page = await openPage(browser, paint, { viewport: { width: 800, height: 500 }, colorScheme: "dark" });
let number = 0;

async function frame(times = 1) {
  for (let i = 0; i < times; i++) await page.screenshot({ path: join(frames, `${String(number++).padStart(3, "0")}.png`) });
}

async function stroke(label, points) {
  await page.keyboard.press(String(label));
  const [first, ...rest] = await Promise.all(points.map((point) => toWindow(page, point)));
  await page.mouse.move(...first);
  await frame(2);
  await page.mouse.down();
  for (const [i, point] of rest.entries()) {
    await page.mouse.move(...point, { steps: 4 });
    if (i % 2) await frame();
  }
  await page.mouse.up();
  await frame();
}

function curve(from, to, bend, steps = 10) {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const t = i / steps, s = 4 * t * (1 - t) * bend;
    return [from[0] + (to[0] - from[0]) * t + s * 0.3, from[1] + (to[1] - from[1]) * t + s];
  });
}

// In parts of the width, as if it were 384.
const [width] = await inPage(page, "drawing.js", ({ drawing }) => [drawing.width]);
const at = (points) => points.map(([x, y]) => [(x * width) / 384, (y * width) / 384]);

await frame(4);
await stroke(1, at(curve([140, 95], [335, 85], -28)));
await frame(2);
await stroke(2, at(curve([20, 45], [30, 220], 8)));
await drawnAndSaved(page);
await frame(6);
await stroke(1, at(curve([205, 120], [255, 170], 10)));
await drawnAndSaved(page);
await frame(4);
await stroke(2, at(curve([70, 55], [200, 22], -6)));
await drawnAndSaved(page);
await frame(14);
await browser.close();
await desk.tidy();
