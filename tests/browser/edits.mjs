// What is changed beside the strokes, and what happens to strokes where an answer of the server is lost.

import { renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, closePage, committed, drawnAndSaved, inPage, openPage, paintStroke, strokes } from "./lib.mjs";

const COFFEE = [[[250, 200], [330, 220]], [[30, 20], [30, 380]]];

async function use(page) {
  await committed(page, () => page.click("dialog menu .main"));
  await page.waitForSelector("#dialog", { state: "hidden" });
}

async function commandOf(page) {
  await drawnAndSaved(page);
  return inPage(page, "state.js", ({ state }) => state.news.command);
}

async function labels(page) {
  return inPage(page, "state.js", ({ state }) => ({ labels: state.labels, hidden: [...state.hidden] }));
}

export function editTests({ desk, browser, shot, checkShown }) {
  return {
    async parameters_and_flags() {
      const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg", "--object", "--islands", "remove:2", "--method", "walk", "--param", "termination=0.002");
      const page = await openPage(browser, paint);
      for (const points of COFFEE) await paintStroke(page, points);
      const begin = "segment coffee.jpg --scribbles coffee-scribbles.png";
      const expect = async (rest) => {
        const command = await commandOf(page);
        check(command === begin + rest, `${command} in place of ${begin}${rest}`);
        // object masks follow from the one before
        check(command.includes("--object") || paint.makesSame("coffee", command), `${command} makes another mask`);
      };
      const started = " --method walk --param termination=0.002 --islands remove:2 --object";
      await expect(started);
      // what was given at the start can be switched off
      await page.keyboard.press("o");
      check((await page.inputValue("#param-termination")) === "0.002", "another parameter than at the start");
      await shot(page, "parameters");
      await page.uncheck("#option-object");
      await page.fill("#option-islands", "auto");
      await use(page);
      await expect(" --method walk --param termination=0.002");
      await page.keyboard.press("o");
      check(!(await page.isChecked("#option-object")) && (await page.inputValue("#option-islands")) === "auto", "what was switched off is on");
      await page.fill("#param-termination", "0.0001");
      await use(page);
      await expect(" --method walk --param termination=0.0001");
      // parameters are those of the method that is chosen
      await page.keyboard.press("o");
      await page.selectOption("#option-method", "kmeans");
      check((await page.locator("#param-termination").count()) === 0, "a parameter of another method");
      await page.selectOption("#param-seeds", "none");
      await shot(page, "parameters-kmeans");
      await use(page);
      await expect(" --method kmeans --param seeds=none");
      await page.keyboard.press("o");
      await page.selectOption("#option-method", "");
      check((await page.textContent("dialog .params")).includes("Choose a method"), "parameters of no method");
      await use(page);
      await expect("");
      // one that is out of its range is refused, and nothing changes
      await page.keyboard.press("o");
      await page.selectOption("#option-method", "walk");
      check((await page.inputValue("#param-termination")) === "0.002", "not as at the start");
      await page.fill("#param-termination", "7");
      await use(page);
      await page.waitForFunction(() => document.getElementById("trouble").textContent.includes("termination"));
      await expect(" --method walk --param termination=0.002");
      await page.keyboard.press("o");
      await page.click("dialog menu button[value=defaults]");
      await page.waitForFunction(() => document.querySelector("#do-options").getAttribute("aria-pressed") === "false");
      await expect(started);
      for (let i = 0; i < 2; i++) await page.keyboard.press("Control+z");
      await expect("");
      page.troubles.length = 0; // the answer 400
      await closePage(page);
      await paint.end();
    },

    async labels_are_undone() {
      const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
      const page = await openPage(browser, paint);
      for (const points of COFFEE) await paintStroke(page, points);
      await drawnAndSaved(page);
      const [first] = [await labels(page)];
      const mask = paint.file("coffee-mask.png");
      await page.keyboard.press("a");
      await drawnAndSaved(page);
      await page.keyboard.press("1");
      await page.keyboard.press("F2");
      await page.fill("dialog .name", "cup: red"); // a colon is not possible in a label map
      await page.click("dialog menu .main");
      await page.waitForFunction(() => document.getElementById("trouble").textContent.includes("colon"));
      await page.waitForFunction(() => document.body.dataset.revision); // the page is as before
      check((await labels(page)).labels[0].name === first.labels[0].name, "a name that was refused is shown");
      page.troubles.length = 0; // the answer 400
      await page.keyboard.press("F2");
      await page.fill("dialog .name", "cup");
      await page.click("dialog .grid .colour:nth-child(5)");
      await use(page);
      await drawnAndSaved(page);
      await page.keyboard.press("h");
      await drawnAndSaved(page);
      const changed = await labels(page);
      check(changed.labels.length === 3 && changed.labels[0].name === "cup" && changed.hidden.join() === "1", `labels: ${JSON.stringify(changed)}`);
      check(!paint.file("coffee-mask.png").equals(mask), "the colour is not in the mask's file");
      await shot(page, "labels");
      await page.reload();
      await page.waitForFunction(() => document.body.dataset.opened === "0");
      check(JSON.stringify(await labels(page)) === JSON.stringify(changed), "a reload forgets labels, or what is hidden");
      for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
      await drawnAndSaved(page);
      check(JSON.stringify(await labels(page)) === JSON.stringify(first), "undo does not cover labels");
      check(paint.file("coffee-mask.png").equals(mask), "undo of a colour gives another mask than before");
      check(!String(paint.file("segment-labels.txt")).includes("cup"), "the file has a name that was undone");
      for (let i = 0; i < 3; i++) await page.keyboard.press("Control+Shift+z");
      await drawnAndSaved(page);
      check(JSON.stringify(await labels(page)) === JSON.stringify(changed), "redo does not cover labels");
      check(String(paint.file("segment-labels.txt")).includes("cup:"), "the name is not in the file");
      await closePage(page);
      await paint.end();
    },

    async strokes_behind_a_lost_answer_stay() {
      const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
      const page = await openPage(browser, paint);
      let lost = 0;
      await page.route("**/edit", async (route) => {
        if (lost++ !== 1) return route.continue();
        await route.fetch(); // the server has the edit, the page never hears of it
        await route.abort();
      });
      for (const points of COFFEE) await paintStroke(page, points);
      await paintStroke(page, [[560, 30], [570, 350]]); // behind the one whose answer is lost
      await page.keyboard.press("1");
      await paintStroke(page, [[240, 190], [250, 260]]);
      await drawnAndSaved(page);
      check(lost === 5, `${lost} requests in place of 5: one of four came twice`);
      const list = await strokes(page);
      check(list.map(({ label }) => label).join() === "1,2,2,1", `strokes of ${list.map(({ label }) => label)}`);
      check(String(paint.file("coffee-strokes.jsonl")).split('"stroke"').length === 5, "the journal has other strokes");
      paint.checkMask("coffee");
      await checkShown(page);
      page.troubles.length = 0; // the request that was lost, and the answer 409
      await closePage(page);
      await paint.end();
    },

    async an_image_that_is_replaced_is_loaded_again() {
      const folder = desk.folder(), path = join(folder, "halves.ppm");
      const write = (border) => writeFileSync(path, Buffer.concat([Buffer.from("P6 200 120 255\n"),
        Buffer.from(Array.from({ length: 200 * 120 }, (_, i) => (i % 200 < border ? [200, 60, i % 7] : [0, 90, 160])).flat())]));
      write(60);
      const paint = await desk.paint(folder, "halves.ppm");
      const page = await openPage(browser, paint);
      const trouble = (words) => page.waitForFunction((wanted) => document.getElementById("trouble").textContent.includes(wanted), words);
      const redAt = (at) => inPage(page, "view.js", ({ toScreen }, point) => {
        const canvas = document.getElementById("photo"), [x, y] = toScreen(...point);
        return canvas.getContext("2d").getImageData(Math.round(x), Math.round(y), 1, 1).data[0];
      }, at);
      for (const x of [10, 190]) await paintStroke(page, [[x, 20], [x, 100]]);
      const before = await commandOf(page);
      check((await redAt([100, 50])) === 0 && paint.makesSame("halves", before), "not the first image");
      const mask = paint.file("halves-mask.png");
      unlinkSync(path);
      write(140);
      await paintStroke(page, [[180, 20], [180, 100]]);
      await trouble("the new image is shown");
      await drawnAndSaved(page);
      check((await strokes(page)).length === 2, "the strokes are not kept, or one of the earlier image was taken");
      for (const end = Date.now() + 5000; (await redAt([100, 50])) !== 200; await new Promise((done) => setTimeout(done, 50)))
        check(Date.now() < end, "the earlier image is still shown");
      check(!paint.file("halves-mask.png").equals(mask) && paint.makesSame("halves", await commandOf(page)), "not the mask of the new image");
      await checkShown(page);
      const kept = paint.file("halves-mask.png");
      renameSync(path, `${path}.away`);
      await paintStroke(page, [[180, 20], [180, 100]]);
      await page.waitForFunction(() => /missing|No such file/.test(document.getElementById("trouble").textContent)); // not the earlier sentence
      await shot(page, "gone");
      renameSync(`${path}.away`, path);
      await page.waitForFunction(() => document.body.dataset.saved === "2", null, { timeout: 20000 }); // by itself
      check(paint.file("halves-mask.png").equals(kept), "the mask was overwritten");
      for (const end = Date.now() + 5000; (await strokes(page)).length !== 2; await new Promise((done) => setTimeout(done, 50)))
        check(Date.now() < end, "a stroke that was not taken is shown");
      await paintStroke(page, [[170, 20], [170, 100]]);
      await drawnAndSaved(page);
      check((await page.evaluate(() => document.getElementById("trouble").hidden)) && paint.makesSame("halves", await commandOf(page)), "not drawn on");
      page.troubles.length = 0; // the answers 412, 410 and 500
      await closePage(page);
      await paint.end();
    },
  };
}
