// The page with a model: its mask is there before the first stroke, what it does not know is striped, and strokes correct it.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, closePage, drawnAndSaved, inPage, openPage, paintStroke, strokes } from "./lib.mjs";

const WIDTH = 480, HEIGHT = 320, SQUARE = [340, 80, 460, 200]; // left, top, right, bottom of what nobody has marked

function writePpm(path, colour) {
  const pixels = Buffer.alloc(3 * WIDTH * HEIGHT);
  for (let y = 0, at = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) for (const value of colour(x, y)) pixels[at++] = value;
  writeFileSync(path, Buffer.concat([Buffer.from(`P6 ${WIDTH} ${HEIGHT} 255\n`), pixels]));
}

function photo(border) {
  const [left, top, right, bottom] = SQUARE;
  return (x, y) => {
    const e = (x * 7 + y * 13) % 23;
    if (x >= left && x < right && y >= top && y < bottom) return [20 + e, 200 + e, 30];
    return x < border ? [200 + e, 60, 0] : [0, 90, 160 + e];
  };
}

function marks(border) {
  return (x, y) => (![60, 61, 240].includes(y) || Math.abs(x - border) < 30 ? [0, 0, 0] : x < border ? [255, 120, 0] : [0, 120, 255]);
}

// A folder with new.ppm, other.ppm and what their series taught.
function series(desk) {
  const folder = desk.folder();
  mkdirSync(join(folder, "photos"));
  for (const [name, border] of [["a", 240], ["b", 160], ["c", 320]]) {
    writePpm(join(folder, "photos", `${name}.ppm`), photo(border));
    writePpm(join(folder, "photos", `${name}-scribbles.ppm`), marks(border));
  }
  for (const [name, border] of [["new", 200], ["other", 260]]) writePpm(join(folder, `${name}.ppm`), photo(border));
  writeFileSync(join(folder, "map.txt"), "water:0,120,255\nsand:255,120,0\n");
  const done = spawnSync(desk.program, ["learn", "photos", "--labelmap", "map.txt", "-o", "series.model", "-q"], { cwd: folder });
  check(done.status === 0, `segment learn: ${done.stderr}`);
  return folder;
}

async function rows(page) {
  return page.$$eval("#labels li:not([hidden])", (list) => list.map((one) => [one.querySelector(".text span").textContent, one.querySelector(".share").textContent]));
}

async function command(page) {
  return inPage(page, "state.js", ({ state }) => state.news.command);
}

async function waitForHint(page, words) {
  await page.waitForFunction((wanted) => document.getElementById("hint").textContent.includes(wanted), words);
}

// Pixels of the mask's canvas within the square, that is how many of them are touched.
async function striped(page) {
  return inPage(page, "view.js", ({ toScreen, view }, [left, top, right, bottom]) => {
    const [[x, y], [u, v]] = [toScreen(left + 10, top + 10), toScreen(right - 10, bottom - 10)].map((at) => at.map(Math.round));
    const data = document.getElementById("mask").getContext("2d").getImageData(x, y, u - x, v - y).data;
    let white = 0, none = 0;
    for (let i = 0; i < data.length; i += 4) {
      white += data[i] === 255 && data[i + 3] === 255;
      none += data[i + 3] === 0;
    }
    return { white: white / (data.length / 4), none: none / (data.length / 4), scale: view.scale };
  }, SQUARE);
}

export function modelTests({ desk, browser, shot, checkShown }) {
  return {
    async a_model_makes_the_first_mask() {
      const folder = series(desk);
      const paint = await desk.paint(folder, "new.ppm", "--model", "series.model");
      const page = await openPage(browser, paint);
      await drawnAndSaved(page);
      const first = paint.file("new-mask.png");
      check((await command(page)) === "segment new.ppm --model series.model", `${await command(page)}`);
      check(paint.makesSame("new", await command(page)), "the model's mask is not that of the command line");
      await waitForHint(page, "draw a stroke where it is wrong or unknown");
      await shot(page, "model");
      const [water, sand, unknown, ...more] = await rows(page);
      check(water[0] === "water" && sand[0] === "sand" && unknown[0] === "unknown" && !more.length, `${await rows(page)}`);
      check(unknown[1] === "9.4 %" && parseFloat(water[1]) + parseFloat(sand[1]) > 90, `shares: ${await rows(page)}`);
      check((await page.textContent("#model")).includes("series.model"), "the model is not named");
      const { white, none } = await striped(page);
      check(white > 0.05 && none > 0.5, `what is unknown is not striped: ${white} white, ${none} clear`);
      await checkShown(page);
      // options that a model leaves nothing to say about are not offered
      await page.keyboard.press("o");
      check((await page.locator("dialog #option-no-unknown").count()) && !(await page.locator("dialog #option-regions").count()), "other options than make sense");
      check((await page.$$eval("dialog #option-method option", (list) => list.map(({ value }) => value).join())) === ",auto", "methods that cannot use a model");
      await page.keyboard.press("Escape");
      // a model's label can be named, not coloured
      await page.keyboard.press("1");
      await page.keyboard.press("F2");
      check(!(await page.locator("dialog input[type=color]").count()), "a model's label can be coloured");
      await page.fill("dialog .name", "sea");
      await page.click("dialog menu .main");
      await page.waitForFunction(() => document.querySelector("#labels").textContent.includes("sea"));
      await drawnAndSaved(page);
      check(paint.file("new-mask.png").equals(first), "a name changes the mask");
      // a stroke of a new label on what is unknown; the label stays chosen
      await page.keyboard.press("a");
      await paintStroke(page, [[360, 100], [440, 180]]);
      await drawnAndSaved(page);
      check((await strokes(page)).map(({ label }) => label).join() === "3", "another label");
      check((await command(page)) === "segment new.ppm --scribbles new-scribbles.png --model series.model", `${await command(page)}`);
      check(paint.makesSame("new", await command(page)), "strokes and model: not the mask of the command line");
      check(parseFloat((await rows(page))[2][1]) > 5, `the stroke's region is not there: ${await rows(page)}`);
      await paintStroke(page, [[20, 300], [60, 310]]);
      check((await strokes(page)).map(({ label }) => label).join() === "3,3", "the second stroke is of another label");
      await drawnAndSaved(page);
      await shot(page, "model-strokes");
      await checkShown(page);
      // back to none, and forth again
      for (let i = 0; i < 4; i++) await page.keyboard.press("Control+z");
      await drawnAndSaved(page);
      check(!(await strokes(page)).length && !paint.has("new-scribbles.png"), "strokes are left");
      check(paint.file("new-mask.png").equals(first), "undo does not bring the model's mask back");
      check((await rows(page))[0][0] === "water", "undo does not bring the name back");
      await page.reload();
      await drawnAndSaved(page);
      check(paint.file("new-mask.png").equals(first), "another mask behind a reload");
      await closePage(page);
      await paint.end();
    },

    async a_folder_with_a_model() {
      const paint = await desk.paint(series(desk), ".", "--model", "series.model", "-o", "masks");
      const page = await openPage(browser, paint);
      await drawnAndSaved(page);
      await page.keyboard.press("PageDown");
      await page.waitForFunction(() => document.body.dataset.opened === "1");
      await drawnAndSaved(page);
      for (const name of ["new", "other"]) check(paint.has(`masks/${name}-mask.png`), `no mask of ${name}`);
      check((await page.textContent("#strip .progress")) === "0 of 2", "images count as drawn on");
      await paintStroke(page, [[360, 100], [440, 180]]);
      await page.waitForFunction(() => document.querySelector("#strip .progress").textContent === "1 of 2");
      await drawnAndSaved(page);
      await closePage(page);
      await paint.end();
    },
  };
}
