// From the pen's lifting to the mask on the screen, in a browser: median and 95th percentile over strokes, and frames while
// the pen is down.
//
//     tests/browser/run.sh FOLDER latency.mjs SEGMENT SOURCE [STROKES [MEGAPIXELS...]]
//
// The image is images/aizkorri.jpg, enlarged by python3-pil.

import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { closePage, Desk, drawnAndSaved, inPage, launch, openPage, paintStroke } from "./lib.mjs";

const [program, source, count = "30", ...sizes] = process.argv.slice(2);
const desk = new Desk(program, source);
const ENLARGE = `
import sys
from PIL import Image
Image.MAX_IMAGE_PIXELS = None
image = Image.open(sys.argv[1]).convert("RGB")
factor = (float(sys.argv[3]) * 1e6 / (image.width * image.height)) ** 0.5
image.resize((round(image.width * factor), round(image.height * factor)), Image.BICUBIC).save(sys.argv[2], quality=92)
`;

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

// Note when the pen is lifted, when the mask of that stroke is drawn, and how long frames take while it is down.
async function watch(page) {
  const events = await page.evaluateHandle(() => import(new URL("events.js", location.href).href));
  await events.evaluate(({ on }) => {
    const seen = (window.seen = { lifted: 0, waits: [], solves: [], frames: [], down: false });
    on("stroke", (down) => {
      seen.down = down;
      seen.lifted = down ? 0 : performance.now();
      const frame = (before) => requestAnimationFrame((now) => {
        if (!seen.down) return;
        if (before) seen.frames.push(now - before);
        frame(now);
      });
      if (down) frame(0);
    });
    on("maskDrawn", ({ revision, pen }) => {
      if (pen || !seen.lifted || String(revision) !== document.body.dataset.revision) return;
      seen.waits.push(performance.now() - seen.lifted);
      seen.lifted = 0;
    });
    on("news", (news) => news?.final && (seen.solves[news.revision] = 1000 * news.outcome.seconds));
  });
}

async function measure(browser, megapixels) {
  const folder = desk.folder();
  execFileSync("/usr/bin/python3", ["-c", ENLARGE, join(source, "images", "aizkorri.jpg"), join(folder, "photo.jpg"), megapixels]);
  const paint = await desk.paint(folder, "photo.jpg");
  const page = await openPage(browser, paint);
  const [width, height] = await inPage(page, "drawing.js", ({ drawing }) => [drawing.width, drawing.height]);
  const at = (x, y) => [x * width, y * height];
  await paintStroke(page, [at(0.5, 0.35), at(0.6, 0.4)]);
  await paintStroke(page, [at(0.1, 0.1), at(0.9, 0.1)]);
  await drawnAndSaved(page);
  await watch(page);
  for (let i = 0; i < Number(count); i++) {
    const x = ((5 * i + 3) / 37) % 0.85, y = 0.03 + (((2 * i + 1) / 23) % 0.94);
    const label = await inPage(page, "mask.js", ({ mask }, [px, py]) => {
      const { tiles } = mask.shown;
      for (const [key, labels] of tiles.kept) { // of any tile that has the point
        const [level, column, row] = key.split("/").map(Number), [width, height] = tiles.size(level, column, row);
        const tx = Math.floor(px / 2 ** level) - 512 * column, ty = Math.floor(py / 2 ** level) - 512 * row;
        if (tx >= 0 && ty >= 0 && tx < width && ty < height) return labels[ty * width + tx];
      }
      return 1;
    }, at(x, y));
    await page.keyboard.press(String(label));
    await paintStroke(page, [at(x, y), at(x + 0.05, y)], { steps: 10 });
    await drawnAndSaved(page);
  }
  const { waits, solves, frames } = await page.evaluate(() => window.seen);
  console.log(`${(width * height / 1e6).toFixed(2)} megapixels: pen up to mask drawn, median ${quantile(waits, 0.5).toFixed(0)} ms, 95th percentile ${quantile(waits, 0.95).toFixed(0)} ms of ${waits.length} strokes (of it segmenting ${quantile(solves.filter(Boolean), 0.5).toFixed(0)} ms); frames while drawing: 95 % within ${quantile(frames, 0.95).toFixed(0)} ms, the longest ${Math.max(...frames).toFixed(0)} ms of ${frames.length}`);
  await closePage(page);
  await paint.end();
}

const browser = await launch();
console.log(`${cpus().length} processors`);
try {
  for (const megapixels of sizes.length ? sizes : ["0.25", "1", "12", "48"]) await measure(browser, megapixels);
} finally {
  await browser.close();
  await desk.tidy();
}
