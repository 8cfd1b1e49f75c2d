// Firefox, driven by WebDriver BiDi, which it speaks by itself: as much of the interface of playwright's pages as the tests
// use. (playwright drives a Firefox of its own make, not Debian's; puppeteer drives this one, and needs 80 packages.)

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";

const PROGRAMS = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];
const KEYS = { Control: "\uE009", Shift: "\uE008", Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004", PageUp: "\uE00E", PageDown: "\uE00F", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015", F2: "\uE032" };
const TIMEOUT = 30000, POLL = 30; // milliseconds

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// Commands and their answers, and events.
class Connection {
  constructor(socket) {
    this.socket = socket;
    this.pending = new Map();
    this.number = 0;
    this.listeners = [];
    socket.on("message", (text) => this.receive(JSON.parse(text)));
    socket.on("close", () => this.fail(new Error("Firefox is gone")));
  }

  static async open(address) {
    const socket = new WebSocket(address, { maxPayload: 256 << 20 });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new Connection(socket);
  }

  receive({ type, id, result, error, message, method, params }) {
    if (type === "event") return this.listeners.forEach((run) => run(method, params));
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    if (type === "success") waiting?.resolve(result);
    else waiting?.reject(new Error(`${waiting.method}: ${error}: ${message}`));
  }

  fail(error) {
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }

  send(method, params) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { method, resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

class Page {
  constructor(connection, id, settings) {
    this.connection = connection;
    this.id = id;
    this.settings = settings;
    this.at = { x: 0, y: 0 };
    this.address = "";
    this.listeners = {};
    this.keyboard = { press: (keys) => this.press(keys) };
    this.mouse = {
      move: (x, y, { steps = 1 } = {}) => this.moveMouse(x, y, steps),
      down: ({ button } = {}) => this.pointer([{ type: "pointerDown", button: button === "right" ? 2 : 0 }]),
      up: ({ button } = {}) => this.pointer([{ type: "pointerUp", button: button === "right" ? 2 : 0 }]),
      click: (x, y) => this.clickAt(x, y),
    };
    connection.listeners.push((method, params) => this.hear(method, params));
  }

  send(method, params) {
    return this.connection.send(method, { context: this.id, ...params });
  }

  on(name, run) {
    this.listeners[name] = run;
  }

  hear(method, { source, type, level, text }) {
    if (method !== "log.entryAdded" || source.context !== this.id || level !== "error") return;
    if (type === "javascript") this.listeners.pageerror?.(text);
    else this.listeners.console?.({ type: () => "error", text: () => text });
  }

  context() {
    return { close: () => this.send("browsingContext.close", {}) };
  }

  url() {
    return this.address;
  }

  async goto(url) {
    this.address = url;
    await this.send("browsingContext.navigate", { url, wait: "complete" });
  }

  async reload() {
    await this.send("browsingContext.reload", { wait: "complete" });
  }

  // Arguments and result as JSON.
  async call(declaration, values) {
    const { result, exceptionDetails } = await this.connection.send("script.callFunction", {
      functionDeclaration: `async (values) => JSON.stringify(await (${declaration})(...JSON.parse(values))) ?? "null"`,
      arguments: [{ type: "string", value: JSON.stringify(values) }],
      awaitPromise: true,
      target: { context: this.id },
      userActivation: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }

  evaluate(run, detail = null) {
    return this.call(String(run), [detail]);
  }

  inModule(path, run, detail = null) {
    return this.call(`async (path, detail) => (${run})(await import(path), detail)`, [path, detail]);
  }

  async waitFor(ask, what, timeout = TIMEOUT) {
    for (const end = Date.now() + timeout; ; await sleep(POLL)) {
      const answer = await ask();
      if (answer) return answer;
      if (Date.now() > end) throw new Error(`waited ${timeout / 1000} s for ${what}`);
    }
  }

  waitForFunction(run, detail, { timeout } = {}) {
    return this.waitFor(() => this.evaluate(run, detail), String(run), timeout);
  }

  // The middle of an element that is seen, once it is.
  async find(selector) {
    return this.waitFor(
      () =>
        this.call(
          `(selector) => {
            const one = document.querySelector(selector);
            one?.scrollIntoView({ block: "nearest", inline: "nearest" });
            const { x, y, width, height } = one?.getBoundingClientRect() ?? {};
            return width && height && !one.disabled ? { x, y, width, height } : null;
          }`,
          [selector],
        ),
      selector,
    );
  }

  async waitForSelector(selector, { state = "visible" } = {}) {
    const seen = `(selector) => Boolean(document.querySelector(selector)?.getBoundingClientRect().width)`;
    await this.waitFor(async () => (await this.call(seen, [selector])) === (state === "visible"), `${selector} ${state}`);
  }

  locator(selector) {
    return { boundingBox: () => this.find(selector), count: () => this.call("(selector) => document.querySelectorAll(selector).length", [selector]) };
  }

  $$eval(selector, run) {
    return this.call(`(selector) => (${run})([...document.querySelectorAll(selector)])`, [selector]);
  }

  async of(selector, run, ...values) {
    await this.waitFor(() => this.call("(selector) => Boolean(document.querySelector(selector))", [selector]), selector);
    return this.call(`(selector, ...values) => (${run})(document.querySelector(selector), ...values)`, [selector, ...values]);
  }

  textContent(selector) {
    return this.of(selector, "(one) => one.textContent");
  }

  inputValue(selector) {
    return this.of(selector, "(one) => one.value");
  }

  isChecked(selector) {
    return this.of(selector, "(one) => one.checked");
  }

  isDisabled(selector) {
    return this.of(selector, "(one) => one.disabled");
  }

  async change(selector, value) {
    await this.find(selector);
    await this.of(selector, '(one, value) => { one.focus(); one.value = value; for (const name of ["input", "change"]) one.dispatchEvent(new Event(name, { bubbles: true })); }', value);
  }

  fill(selector, value) {
    return this.change(selector, value);
  }

  selectOption(selector, value) {
    return this.change(selector, value);
  }

  async uncheck(selector) {
    if (await this.isChecked(selector)) await this.click(selector);
  }

  async click(selector) {
    const { x, y, width, height } = await this.find(selector);
    await this.clickAt(x + width / 2, y + height / 2);
  }

  async clickAt(x, y) {
    await this.moveMouse(x, y, 1);
    await this.pointer([{ type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]);
  }

  async moveMouse(x, y, steps) {
    const from = this.at, moves = [];
    for (let i = 1; i <= steps; i++) {
      const [mx, my] = [from.x + ((x - from.x) * i) / steps, from.y + ((y - from.y) * i) / steps];
      moves.push({ type: "pointerMove", x: mx, y: my, duration: 0 });
    }
    this.at = { x, y };
    await this.pointer(moves);
  }

  async pointer(actions) {
    await this.send("input.performActions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  }

  // "Control+Shift+z"; "+" alone is a key as well.
  async press(keys) {
    const all = keys === "+" ? ["+"] : keys.split("+"), values = all.map((key) => KEYS[key] ?? key);
    const last = values.pop();
    const actions = [...values, last].map((value) => ({ type: "keyDown", value })).concat([last, ...values.reverse()].map((value) => ({ type: "keyUp", value })));
    await this.send("input.performActions", { actions: [{ type: "key", id: "keys", actions }] });
  }

  async screenshot({ path }) {
    const { data } = await this.send("browsingContext.captureScreenshot", {});
    writeFileSync(path, Buffer.from(data, "base64"));
  }
}

const PREFERENCES = { "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "app.update.enabled": false, "ui.prefersReducedMotion": 1, "remote.active-protocols": 1 };

export async function launchFirefox() {
  const program = PROGRAMS.find((path) => existsSync(path));
  if (!program) throw new Error("no Firefox is installed");
  const profile = mkdtempSync(join(tmpdir(), "segment-firefox-"));
  writeFileSync(join(profile, "user.js"), Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
  const firefox = spawn(program, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: profile } });
  const address = await new Promise((resolve, reject) => {
    let said = "";
    firefox.stderr.on("data", (data) => {
      said += data;
      const found = said.match(/WebDriver BiDi listening on (ws:\S+)/);
      if (found) resolve(found[1]);
    });
    firefox.once("exit", () => reject(new Error(`Firefox ended at once: ${said}`)));
    setTimeout(() => reject(new Error(`Firefox does not listen: ${said}`)), 2 * TIMEOUT).unref();
  });
  const ended = new Promise((resolve) => firefox.once("exit", resolve));
  const connection = await Connection.open(`${address}/session`);
  await connection.send("session.new", { capabilities: {} });
  await connection.send("session.subscribe", { events: ["log.entryAdded"] });
  return {
    newContext: async (settings) => ({
      newPage: async () => {
        const { context } = await connection.send("browsingContext.create", { type: "tab" });
        await connection.send("browsingContext.setViewport", { context, viewport: settings.viewport, devicePixelRatio: settings.deviceScaleFactor ?? 1 });
        return new Page(connection, context, settings);
      },
    }),
    close: async () => {
      await connection.send("browser.close", {}).catch(() => {});
      setTimeout(() => firefox.kill("SIGKILL"), 5000).unref();
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
