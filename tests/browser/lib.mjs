// What everything that drives the page in a browser shares: a server, a page, and a hand that paints.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function check(what, sentence) {
  if (!what) throw new Error(sentence);
}

// A running `segment paint` in a folder.
export class Paint {
  constructor(program, folder, words) {
    this.program = program;
    this.folder = folder;
    this.words = words;
  }

  async start() {
    this.process = spawn(this.program, ["paint", ...this.words, "--no-browser", "-q"], { cwd: this.folder, stdio: ["ignore", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.url = await new Promise((resolve, reject) => {
      this.process.stdout.once("data", (data) => resolve(String(data).trim()));
      this.process.once("exit", () => reject(new Error("segment paint ended at once")));
    });
    return this;
  }

  async end(signal = "SIGINT") {
    this.process.kill(signal);
    return this.ended;
  }

  file(name) {
    return readFileSync(join(this.folder, name));
  }

  has(name) {
    return existsSync(join(this.folder, name));
  }

  // Whether the mask's file is what the command line makes of the scribbles' file.
  hasOwnMask(name) {
    const own = join(this.folder, ".own.png");
    const done = spawnSync(this.program, [`${name}.jpg`, "--scribbles", `${name}-scribbles.png`, "-o", own, "--no-overlay", "-q"], { cwd: this.folder });
    check(done.status === 0, `segment ${name}.jpg: ${done.stderr}`);
    return readFileSync(own).equals(this.file(`${name}-mask.png`));
  }

  // Whether a command line that the page shows makes the same mask.
  makesSame(name, command) {
    const own = join(this.folder, ".own.png"), words = command.split(" ").slice(1);
    const done = spawnSync(this.program, [...words, "-o", own, "--no-overlay", "-q"], { cwd: this.folder });
    check(done.status === 0, `${command}: ${done.stderr}`);
    return readFileSync(own).equals(this.file(`${name}-mask.png`));
  }

  checkMask(name) {
    check(this.hasOwnMask(name), `${name}: the mask is not that of the command line`);
  }

  // The same, where nothing on the page says when the files are written.
  async waitForMask(name) {
    for (const end = Date.now() + 20000; !this.hasOwnMask(name); await new Promise((done) => setTimeout(done, 200)))
      check(Date.now() < end, `${name}: the mask does not become that of the command line`);
  }
}

// Folders and servers of a run, tidied in the end.
export class Desk {
  constructor(program, source) {
    this.program = program;
    this.source = source;
    this.servers = [];
    this.folders = [];
  }

  folder(...names) {
    const made = mkdtempSync(join(tmpdir(), "segment-paint-"));
    this.folders.push(made);
    for (const name of names) cpSync(join(this.source, "images", name), join(made, name));
    return made;
  }

  // With a stroke in each region, as before object mode; paintObjects() begins as people do.
  async paint(folder, ...words) {
    return this.paintObjects(folder, ...words, "--no-objects");
  }

  async paintObjects(folder, ...words) {
    const paint = await new Paint(this.program, folder, words).start();
    this.servers.push(paint);
    return paint;
  }

  async tidy() {
    for (const { process } of this.servers) process.kill("SIGKILL");
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }
}

// BROWSER=firefox in the environment: Debian's Firefox.
export const isFirefox = process.env.BROWSER === "firefox";

export async function launch() {
  if (isFirefox) return (await import("./firefox.mjs")).launchFirefox();
  const executablePath = BROWSERS.find((path) => existsSync(path));
  check(executablePath, "no Chromium is installed");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"] });
}

// The page of a server; what goes wrong in it is a failure.
export async function openPage(browser, paint, settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, reducedMotion: "reduce", ...settings });
  const page = await context.newPage();
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.troubles.push(message.text()));
  await page.goto(paint.url);
  await opened(page);
  return page;
}

export async function opened(page, item = 0) {
  await page.waitForFunction((i) => document.body.dataset.opened === String(i), item);
}

export async function closePage(page) {
  check(!page.troubles.length, `the page says: ${page.troubles.join("; ")}`);
  await page.context().close();
}

// A module of the page, as the page has it: await inPage(page, "view.js", (module) => ...).
export async function inPage(page, name, run, detail) {
  const path = new URL(name, page.url()).href;
  if (page.inModule) return page.inModule(path, run, detail);
  const module = await page.evaluateHandle((from) => import(from), path);
  return module.evaluate(run, detail);
}

// CSS pixels of the window where a point of the image is.
export async function toWindow(page, [x, y]) {
  const box = await page.locator("#pen").boundingBox();
  const [sx, sy] = await inPage(page, "view.js", ({ toScreen }, at) => toScreen(...at), [x, y]);
  return [box.x + sx, box.y + sy];
}

// A stroke by mouse through points of the image.
export async function paintStroke(page, points, options = {}) {
  const [first, ...rest] = await Promise.all(points.map((point) => toWindow(page, point)));
  await page.mouse.move(...first);
  const { button = "left", steps = 6 } = options;
  await page.mouse.down({ button });
  for (const point of rest) await page.mouse.move(...point, { steps });
  await page.mouse.up({ button });
}

// The mask of everything that was drawn is on the screen, and both files are written.
export async function drawnAndSaved(page) {
  await page.waitForFunction(() => {
    const { revision, final, saved, drawn } = document.body.dataset;
    return revision && final === revision && saved === revision && drawn === revision;
  }, null, { timeout: 60000, polling: 50 }) // by frames it would take a share of what is measured
    .catch(async ({ message }) => {
      throw new Error(`${message} ${await page.evaluate(() => JSON.stringify(document.body.dataset))}`);
    });
}

// Do what ends in an edit that comes later than the event, as closing a dialog does.
export async function committed(page, act) {
  const before = await page.evaluate(() => document.body.dataset.revision);
  await act();
  await page.waitForFunction((revision) => document.body.dataset.revision !== revision, before);
}

export async function strokes(page) {
  return inPage(page, "drawing.js", ({ visible }) => visible().map(({ stroke, base }) => stroke ?? { base: Boolean(base) }));
}

export async function zoomTo(page, scale, [x, y]) {
  await inPage(page, "view.js", ({ zoomTo, moveBy, toScreen, view }, [wanted, at]) => {
    zoomTo(wanted, ...toScreen(...at));
    const [sx, sy] = toScreen(...at);
    moveBy(view.width / 2 - sx, view.height / 2 - sy);
  }, [scale, [x, y]]);
}
