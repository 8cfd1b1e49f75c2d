// Questions in the page: ten answers with reload, undo and a kill between them, and what comes of them at the edges.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, closePage, committed, drawnAndSaved, inPage, opened, openPage, paintStroke } from "./lib.mjs";

const SIGNS = { y: 1, n: -1, s: 0 };

// The question that is shown and can be answered: {a, b, revision}.
async function question(page) {
  await page.waitForFunction(() => document.getElementById("ask").dataset.revision);
  return inPage(page, "state.js", ({ state }) => state.news.question);
}

async function answers(page) {
  return inPage(page, "drawing.js", ({ answers }) => answers().map(({ a, b, sign }) => ({ a, b, sign })));
}

// The cup of images/coffee.jpg, roughly.
function inCup([x, y]) {
  return Math.hypot((x - 290) / 190, (y - 190) / 160) < 1;
}

async function reply(page, key) {
  const { a, b } = await question(page), before = await answers(page);
  const pressed = key ?? (inCup(a) === inCup(b) ? "y" : "n");
  await page.keyboard.press(pressed);
  const after = await answers(page);
  check(after.length === before.length + 1 && JSON.stringify(after.at(-1)) === JSON.stringify({ a, b, sign: SIGNS[pressed] }), `the answer ${pressed} is not the last: ${JSON.stringify(after.at(-1))}`);
  return { a, b };
}

// The server has the edits.
async function answered(page) {
  await page.waitForFunction(() => document.body.dataset.revision);
}

// The file of pairs without comments.
function saved(paint, name) {
  return String(paint.file(`${name}-pairs.csv`)).split("\n").filter((line) => line && !line.startsWith("#"));
}

function asLines(list) {
  return list.map(({ a, b, sign }) => [...a, ...b, sign].join());
}

const COFFEE = [[[250, 200], [330, 220]], [[30, 20], [30, 380]]];

export function askTests({ desk, browser, shot, checkShown }) {
  return {
    async ten_answers_with_reload_undo_and_kill() {
      const folder = desk.folder("coffee.jpg");
      let paint = await desk.paint(folder, "coffee.jpg"), page = await openPage(browser, paint);
      await page.keyboard.press("q");
      await question(page);
      await shot(page, "ask");
      for (let i = 0; i < 3; i++) await reply(page);
      await answered(page);
      await page.reload(); // in the middle, questions stay
      await opened(page);
      check((await answers(page)).length === 3, "a reload forgets answers");
      const next = await question(page);
      await page.keyboard.press("s");
      for (let i = 0; i < 2; i++) await reply(page);
      // undo brings the question back
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      const again = await question(page);
      check(JSON.stringify([again.a, again.b]) === JSON.stringify([next.a, next.b]), "after undo another question is asked");
      await page.keyboard.press("Control+Shift+z");
      for (let i = 0; i < 2; i++) await reply(page);
      const last = await reply(page);
      await answered(page); // what the server has not answered yet may be lost
      await paint.end("SIGKILL");
      await page.context().close();
      paint = await desk.paint(folder, "coffee.jpg");
      page = await openPage(browser, paint);
      const kept = await answers(page);
      check(kept.length === 7 && kept.at(-1).a.join() === last.a.join(), `a kill loses answers: ${kept.length} of 7`);
      await page.click("#do-ask");
      while ((await answers(page)).length < 10) await reply(page);
      await drawnAndSaved(page);
      const all = await answers(page);
      check(asLines(all).join("\n") === saved(paint, "coffee").join("\n"), "the file has other answers");
      check(all.filter(({ sign }) => sign === 0).length === 1, "the skipped pair is not there");
      await checkCommand(page, paint, "coffee", "segment coffee.jpg --constraints coffee-pairs.csv --regions ");
      await checkShown(page);
      await shot(page, "ask-ten");
      await closePage(page);
      await paint.end();
    },

    async answers_beside_strokes() {
      const paint = await desk.paint(desk.folder("coffee.jpg"), "coffee.jpg");
      const page = await openPage(browser, paint);
      // one label and answers: the second region is found without a stroke
      await paintStroke(page, COFFEE[0]);
      await page.keyboard.press("q");
      for (let i = 0; i < 4 && !(await answers(page)).some(({ sign }) => sign < 0); i++) await reply(page, inCup((await question(page)).a) ? "y" : "n");
      await drawnAndSaved(page);
      await checkCommand(page, paint, "coffee", "segment coffee.jpg --scribbles coffee-scribbles.png --constraints coffee-pairs.csv --regions 2");
      await page.keyboard.press("Escape");
      await page.waitForSelector("#ask", { state: "hidden" });
      await page.keyboard.press("2");
      await paintStroke(page, COFFEE[1]);
      await drawnAndSaved(page);
      await checkCommand(page, paint, "coffee", "segment coffee.jpg --scribbles coffee-scribbles.png --constraints coffee-pairs.csv");
      // a stroke against an answer: said in words, and the answer can be deleted by a click
      const [{ a }] = (await answers(page)).filter(({ sign }) => sign < 0);
      await page.keyboard.press("1");
      await paintStroke(page, [a, [a[0] + 6, a[1] + 6]]);
      await page.waitForFunction(() => document.getElementById("hint").textContent.includes("contradicts"), null, { timeout: 20000 });
      await page.keyboard.press("q");
      await page.waitForFunction(() => document.querySelector("#ask .question").textContent.includes("contradicts"));
      await shot(page, "ask-contradiction");
      await page.keyboard.press("q");
      await page.keyboard.press("Control+z");
      await drawnAndSaved(page);
      const before = (await answers(page)).length;
      await page.keyboard.press("d");
      const box = await page.locator("#pen").boundingBox();
      const [x, y] = await inPage(page, "view.js", ({ toScreen }, at) => toScreen(at[0] + 0.5, at[1] + 0.5), a);
      await page.mouse.click(box.x + x, box.y + y);
      check((await answers(page)).length < before, "a click does not delete the answer");
      await drawnAndSaved(page);
      await page.keyboard.press("Control+z");
      check((await answers(page)).length === before, "undo does not bring the answer back");
      await drawnAndSaved(page);
      await checkShown(page);
      await closePage(page);
      await paint.end();
    },

    async questions_end_and_have_buttons() {
      // A dark and a light half in few patches: a question for each of them is enough.
      const folder = desk.folder(), light = ([x]) => x >= 160;
      const pixels = Uint8Array.from({ length: 320 * 192 }, (_, i) => (light([i % 320]) ? 200 : 40) + (i % 7));
      writeFileSync(join(folder, "halves.pgm"), Buffer.concat([Buffer.from("P5\n320 192\n255\n"), pixels]));
      const paint = await desk.paint(folder, "halves.pgm", "--patch", "64", "-k", "2");
      const page = await openPage(browser, paint);
      await page.click("#do-ask");
      for (let i = 0; i < 300; i++) {
        await page.waitForFunction(() => document.getElementById("ask").dataset.revision || document.querySelector("#ask .question").textContent.startsWith("No question"));
        const open = await page.evaluate(() => Boolean(document.getElementById("ask").dataset.revision));
        if (!open) break;
        const { a, b } = await question(page);
        await page.click(`#ask [data-sign="${light(a) === light(b) ? 1 : -1}"]`);
      }
      check((await page.textContent("#ask .question")).startsWith("No question"), "questions do not end");
      check(await page.isDisabled('#ask [data-sign="1"]'), "there is a button for nothing");
      await page.keyboard.press("y");
      await drawnAndSaved(page);
      const list = await answers(page);
      check(list.length > 10 && asLines(list).join() === saved(paint, "halves").join(), "answers of no question");
      await shot(page, "ask-end");
      // clear takes them away, undo brings them back
      await page.click("#do-clear");
      await committed(page, () => page.click("dialog menu button[value=clear]"));
      await drawnAndSaved(page);
      check(!paint.has("halves-pairs.csv") && !paint.has("halves-mask.png"), "files of no answers");
      await page.keyboard.press("Control+z");
      await drawnAndSaved(page);
      check((await answers(page)).length === list.length && paint.has("halves-mask.png"), "clear cannot be undone");
      await page.click("#ask .close");
      await page.waitForSelector("#ask", { state: "hidden" });
      await closePage(page);
      await paint.end();
    },

    async questions_of_a_folder() {
      const paint = await desk.paint(desk.folder("coffee.jpg", "chelsea.jpg"), ".");
      const page = await openPage(browser, paint);
      await page.keyboard.press("q");
      await reply(page, "y");
      await reply(page, "n");
      await drawnAndSaved(page);
      await page.keyboard.press("PageDown");
      await opened(page, 1);
      check((await answers(page)).length === 0, "answers of another image");
      await reply(page, "n");
      await drawnAndSaved(page);
      await shot(page, "ask-folder");
      check((await page.textContent("#strip .progress")) === "2 of 2", "answers do not count as work done");
      await page.keyboard.press("PageUp");
      await opened(page, 0);
      check((await answers(page)).length === 2, "answers are gone");
      await reply(page, "s");
      await drawnAndSaved(page);
      check(saved(paint, "chelsea").length === 3 && saved(paint, "coffee").length === 1, "answers in the wrong file");
      await closePage(page);
      await paint.end();
    },
  };

  async function checkCommand(page, paint, name, beginning) {
    await page.keyboard.press("x");
    const command = await page.textContent("dialog code");
    await page.keyboard.press("Escape");
    check(command.startsWith(beginning), `${command} in place of ${beginning}...`);
    check(paint.makesSame(name, command), `${command} makes another mask`);
  }
}
