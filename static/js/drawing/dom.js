/**
 * Making elements without markup: text is always text. Used by everything that draws.
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className = "", ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/**
 * A button that is told what to do.
 * @param {string} className
 * @param {string} label
 * @param {() => void} press
 */
export function makeButton(className, label, press) {
  const button = make("button", className, label);
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}

/**
 * Write text only where it changed, and into the node that is there: both save layout.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  const first = element.firstChild;
  if (first instanceof Text && first === element.lastChild) {
    if (first.data !== text) first.data = text;
  } else if (first !== null || text !== "") {
    element.textContent = text;
  }
}

/**
 * Show or hide, only when that changes something.
 * @param {HTMLElement} element
 * @param {boolean} shown
 */
export function reveal(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/**
 * A link that a stream brought: opened apart, told nothing, and only for the web; plain text otherwise.
 * @param {string} address
 * @param {string} label
 */
export function makeLink(address, label) {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return make("span", "", label);
  const link = make("a", "", label);
  link.href = address;
  link.rel = "noopener noreferrer";
  link.target = "_blank";
  link.referrerPolicy = "no-referrer";
  link.title = address;
  return link;
}

/**
 * A button that copies; it says so in place.
 * @param {string} className
 * @param {() => string} text
 * @param {string} label
 */
export function makeCopyButton(className, text, label = "copy") {
  let forget = 0;
  const button = makeButton(className, label, async () => {
    let outcome = "copied";
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      outcome = "not allowed";
    }
    button.textContent = outcome;
    clearTimeout(forget);
    forget = window.setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}
