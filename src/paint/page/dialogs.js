// One dialog for everything that is asked or told. What the page builds is built of elements, never of text.

const dialog = document.getElementById("dialog");

// element("p", {class: "quiet"}, "text", child, ...)
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

let settle = null; // gives the answer to who asked

// Show it; gives the value of the button that ended it, "" where it was closed. The first button is the main one.
export function ask(title, body, buttons) {
  settle?.(dialog.returnValue); // of a dialog that has been closed, which is told later
  const form = dialog.firstElementChild, [heading, content, menu] = form.children;
  heading.textContent = title;
  content.replaceChildren(...body);
  menu.replaceChildren(
    ...[...buttons].reverse().map(([value, text]) => element("button", { value, class: value === buttons[0][0] ? "main" : null }, text)),
  );
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => (settle = resolve));
}

export function close(value) {
  dialog.close(value);
}

export function isOpen() {
  return dialog.open;
}

export function start() {
  dialog.addEventListener("close", () => {
    if (dialog.open) return; // the one before
    settle?.(dialog.returnValue);
    settle = null;
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close("");
  });
  // Enter in a field is the main button, not the first of the menu.
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input:not([type=range])")) return;
    event.preventDefault();
    dialog.querySelector("menu .main")?.click();
  });
}
