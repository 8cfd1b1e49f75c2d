// Object mode: one object after the other, the rest is background.

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { check, closePage, committed, drawnAndSaved, inPage, opened, openPage, paintStroke, strokes, toWindow } from "./lib.mjs";

const CUP = [[250, 200], [330, 220]], SPOON = [[520, 205], [535, 212]], NOT_OF_IT = [[30, 20], [30, 380]];

// The labels of the mask, one per pixel.
async function labelsOf(page) {
  await drawnAndSaved(page);
  const text = await page.evaluate(async () => {
    const load = (name) => import(new URL(name, location.href).href);
    const [{ drawing }, { bytes }, { tilesIn }, { state }] = await Promise.all(["drawing.js", "api.js", "tiles.js", "state.js"].map(load));
    const all = new Uint8Array(drawing.width * drawing.height);
    for (const [column, row] of tilesIn(0, 0, 0, drawing.width, drawing.height)) {
      const left = column * drawing.tile, top = row * drawing.tile, width = Math.min(drawing.tile, drawing.width - left);
      const tile = await bytes(`item/${state.item}/mask/0/${column}/${row}`);
      tile.forEach((label, i) => (all[(top + Math.floor(i / width)) * drawing.width + left + (i % width)] = label));
    }
    return Array.from(all, (label) => String.fromCharCode(label)).join("");
  });
  return Buffer.from(text, "latin1");
}

function count(mask, label) {
  return mask.filter((one) => one === label).length;
}

function present(mask) {
  return [...new Set(mask)].sort((a, b) => a - b).join();
}

function checkKept(before, now, label, when) {
  const changed = before.filter((one, i) => (one === label) !== (now[i] === label)).length;
  check(changed === 0, `${changed} pixels of object ${label} are others ${when}`);
}

function same(a, b) {
  return a.equals(b);
}

async function mode(page) {
  return page.evaluate(() => document.getElementById("mode-objects").getAttribute("aria-pressed"));
}

export function objectTests({ desk, browser, shot, checkShown }) {
  const click = async (page, point, options = {}) => paintStroke(page, [point], options);

  return {
    async a_click_is_an_object() {
      const paint = await desk.paintObjects(desk.folder("coffee.jpg"), "coffee.jpg");
      const page = await openPage(browser, paint);
      check((await mode(page)) === "true", "a new image is not in object mode");
      await click(page, [290, 210]);
      const first = await labelsOf(page);
      check(present(first) === "1,2" && first[210 * 600 + 290] === 1 && first[20 * 600 + 20] === 2, `one click: labels ${present(first)}`);
      check(count(first, 1) > 2000 && count(first, 1) < 150000, `${count(first, 1)} pixels of the object`);
      await shot(page, "object-click");
      await checkShown(page);
      // the right button, and X, mark what is not of it; left strokes stay the object's
      await paintStroke(page, NOT_OF_IT, { button: "right" });
      await page.keyboard.press("x");
      await click(page, [560, 30]);
      await page.keyboard.press("x");
      await click(page, [300, 160]);
      check((await strokes(page)).map(({ label }) => label).join() === "1,2,2,1", "right button or X");
      const mask = await labelsOf(page);
      check(present(mask) === "1,2" && mask[30 * 600 + 560] === 2 && mask[160 * 600 + 300] === 1 && mask[200 * 600 + 30] === 2, "strokes are not in the mask");
      // background without an object
      for (let i = 0; i < 4; i++) await page.keyboard.press("Control+z");
      await paintStroke(page, NOT_OF_IT, { button: "right" });
      await page.waitForFunction(() => document.body.dataset.revision && document.body.dataset.final === document.body.dataset.revision);
      check(!(await inPage(page, "state.js", ({ state }) => state.news.outcome.mask)), "a mask without an object");
      await closePage(page);
      await paint.end();
    },

    async enter_finishes_an_object() {
      const folder = desk.folder("coffee.jpg");
      let paint = await desk.paintObjects(folder, "coffee.jpg");
      let page = await openPage(browser, paint);
      await page.keyboard.press("Enter"); // nothing is drawn: the keyboard's pen
      await page.keyboard.press("Escape");
      check((await strokes(page)).length === 0, "Enter without an object draws");
      await paintStroke(page, CUP);
      const one = await labelsOf(page);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("#labels li").length === 3);
      const finished = await labelsOf(page);
      check(present(finished) === "1,2" && same(one, finished), "Enter changes the mask");
      await paintStroke(page, SPOON);
      await paintStroke(page, NOT_OF_IT, { button: "right" });
      const two = await labelsOf(page);
      check(present(two) === "1,2,3", `two objects and the rest: labels ${present(two)}`);
      check(two[207 * 600 + 525] === 2 && two[200 * 600 + 30] === 3, "the second object is not where it was drawn");
      checkKept(one, two, 1, "with a second object");
      check((await page.textContent("#labels")).includes("object 2"), "the label has no name");
      await shot(page, "object-two");
      await checkShown(page);
      // at once: what is drawn before the mask is there belongs to the next object
      await page.keyboard.press("Enter");
      await click(page, [100, 100]);
      await page.keyboard.press("Enter");
      await click(page, [60, 330]);
      const four = await labelsOf(page);
      check(present(four) === "1,2,3,4,5", `four objects: labels ${present(four)}`);
      for (const label of [1, 2]) checkKept(two, four, label, "with four objects");
      check(four[330 * 600 + 60] === 4, "the click behind Enter is of another object");
      await shot(page, "object-four");
      // a stroke of a finished object adds its pixels, and nothing else
      await page.keyboard.press("1");
      await click(page, [580, 380]);
      const added = await labelsOf(page);
      const grown = added.filter((label, i) => label === 1 && four[i] !== 1).length;
      check(grown > 20 && grown < 400 && one.every((label, i) => label !== 1 || added[i] === 1), `${grown} pixels added to a finished object`);
      // the page again, and the program again
      await page.reload();
      await opened(page);
      check(same(added, await labelsOf(page)), "another mask after a reload");
      check((await mode(page)) === "true", "the mode is lost");
      await closePage(page);
      await paint.end();
      paint = await desk.paintObjects(folder, "coffee.jpg");
      page = await openPage(browser, paint);
      check(same(added, await labelsOf(page)), "another mask after a new start");
      // exports have each object by its number
      await page.keyboard.press("s");
      await page.click("dialog [data-kind=coco]");
      await page.waitForFunction(() => document.querySelector("dialog .said").textContent.startsWith("written: "));
      const coco = JSON.parse(paint.file("coffee-mask.coco.json"));
      check(coco.annotations.map(({ category_id: id }) => id).join() === "1,2,3,4,5", "the export has other objects");
      check(coco.categories.map(({ name }) => name).join() === "object 1,object 2,object 3,object 4,background", `categories ${JSON.stringify(coco.categories)}`);
      check(coco.annotations[0].area === count(added, 1), "the export has another area");
      await shot(page, "object-exports");
      await page.keyboard.press("Escape");
      // undo of everything, Enter included
      for (let i = 0; i < 2; i++) await page.keyboard.press("Control+z");
      check((await inPage(page, "state.js", ({ state }) => [state.object, state.label])).join() === "4,4", "undo: another object");
      for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
      check(same(two, await labelsOf(page)), "undo of Enter gives another mask");
      for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
      check(same(one, await labelsOf(page)), "undo of the first Enter gives another mask");
      check((await strokes(page)).length === 1 && (await inPage(page, "state.js", ({ state }) => state.object)) === 1, "the object's strokes are not back");
      await closePage(page);
      await paint.end();
    },

    async strokes_in_turn_are_repeatable() {
      const folder = desk.folder("coffee.jpg");
      const paint = await desk.paintObjects(folder, "coffee.jpg");
      const page = await openPage(browser, paint), masks = [];
      const all = [[[290, 210]], [[200, 300], [400, 330]], [[60, 60]]];
      for (const [i, points] of all.entries()) {
        await paintStroke(page, points, { button: i === 2 ? "right" : "left" });
        masks.push(await labelsOf(page));
      }
      for (let i = all.length - 2; i >= 0; i--) {
        await page.keyboard.press("Control+z");
        check(same(masks[i], await labelsOf(page)), `undo of stroke ${i + 2} gives another mask`);
      }
      for (let i = 1; i < all.length; i++) await page.keyboard.press("Control+Shift+z");
      check(same(masks.at(-1), await labelsOf(page)), "redo of all gives another mask");
      await page.keyboard.press("u"); // prepares anew
      await page.waitForFunction(() => document.body.dataset.uncertainty === "true");
      check(same(masks.at(-1), await labelsOf(page)), "another mask with the uncertainty");
      await closePage(page);
      await paint.end();
      const again = await desk.paintObjects(folder, "coffee.jpg");
      const other = await openPage(browser, again);
      check(same(masks.at(-1), await labelsOf(other)), "another mask after a new start");
      await closePage(other);
      await again.end();
    },

    async regions_as_before() {
      // three labels that are there, -k, a label map: a stroke in each region
      for (const [words, prepare] of [
        [["-s", "three.png"], (folder) => copyFileSync(join(desk.source, "images", "coffee-scribbles.png"), join(folder, "three.png"))],
        [["-k", "2"], () => {}],
        [["--no-objects"], () => {}],
      ]) {
        const folder = desk.folder("coffee.jpg");
        prepare(folder);
        const paint = await desk.paintObjects(folder, "coffee.jpg", ...words);
        const page = await openPage(browser, paint);
        check((await mode(page)) === "false", `${words}: object mode`);
        if (words[0] === "-s") {
          await drawnAndSaved(page);
          paint.checkMask("coffee");
        }
        await closePage(page);
        await paint.end();
      }
      // the switch, which undo covers and the journal keeps
      const folder = desk.folder("coffee.jpg", "chelsea.jpg");
      let paint = await desk.paintObjects(folder, ".");
      let page = await openPage(browser, paint);
      await committed(page, () => page.click("#mode-regions"));
      check((await mode(page)) === "false", "the switch does nothing");
      for (const points of [[[200, 100], [260, 160]], [[30, 20], [30, 200]]]) await paintStroke(page, points);
      await drawnAndSaved(page);
      check((await strokes(page)).map(({ label }) => label).join() === "1,2", "the second stroke is not of the second label");
      paint.checkMask("chelsea");
      await page.keyboard.press("PageDown");
      await opened(page, 1);
      check((await mode(page)) === "true", "the switch of one image is that of another");
      await click(page, [290, 210]);
      await drawnAndSaved(page);
      await page.keyboard.press("m");
      await page.waitForFunction(() => document.querySelector("#mode-objects").getAttribute("aria-pressed") === "false");
      await committed(page, () => page.keyboard.press("Control+z"));
      await page.waitForFunction(() => document.querySelector("#mode-objects").getAttribute("aria-pressed") === "true");
      await drawnAndSaved(page);
      await closePage(page);
      await paint.end();
      paint = await desk.paintObjects(folder, "--no-objects", ".");
      page = await openPage(browser, paint);
      check((await mode(page)) === "false", "the mode of a project is lost");
      await drawnAndSaved(page);
      paint.checkMask("chelsea");
      await page.keyboard.press("PageDown");
      await opened(page, 1);
      check((await mode(page)) === "true", "the mode of another project is lost");
      await closePage(page);
      await paint.end();
    },

    async objects_by_keys() {
      const paint = await desk.paintObjects(desk.folder("coffee.jpg"), "coffee.jpg");
      const page = await openPage(browser, paint);
      const keys = async (...names) => {
        for (const name of names) await page.keyboard.press(name);
      };
      await keys("Enter", "ArrowRight", "ArrowRight", "Enter"); // a stroke from the middle
      const one = await labelsOf(page);
      await keys("Enter"); // the object is finished
      await page.waitForFunction(() => document.querySelectorAll("#labels li").length === 3);
      await keys(...new Array(11).fill("Shift+ArrowLeft"), "Enter", "ArrowDown", "Enter");
      await keys("x", ...new Array(4).fill("Shift+ArrowUp"), "Enter", "ArrowDown", "Enter");
      check((await strokes(page)).map(({ label, base }) => label ?? String(base)).join() === "true,2,3", `strokes by keys: ${JSON.stringify(await strokes(page))}`);
      const two = await labelsOf(page);
      check(present(two) === "1,2,3", `labels ${present(two)}`);
      checkKept(one, two, 1, "by keys");
      await closePage(page);
      await paint.end();
    },

    async a_box_of_each_object() {
      const paint = await desk.paintObjects(desk.folder("coffee.jpg"), "coffee.jpg");
      const page = await openPage(browser, paint);
      await page.keyboard.press("b");
      await paintStroke(page, [[150, 50], [520, 350]]);
      const one = await labelsOf(page);
      check(present(one) === "1,2", `a box: labels ${present(one)}`);
      await page.click("#add-label");
      await page.waitForFunction(() => document.querySelectorAll("#labels li").length === 3);
      await drawnAndSaved(page); // the list is ahead of the mask that is awaited
      check(!(await inPage(page, "options.js", ({ box }) => box())), "the box is still there");
      await click(page, [60, 330]);
      await page.keyboard.press("p");
      await click(page, [60, 330]);
      const two = await labelsOf(page);
      check(present(two) === "1,2,3", `a box and a click: labels ${present(two)}`);
      checkKept(one, two, 1, "after a box");
      await closePage(page);
      await paint.end();
    },
  };
}
