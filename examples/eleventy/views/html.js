/** HTML as text, apart from other texts. */
class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** Text that is HTML already. */
export const raw = (/** @type {string} */ text) => new Html(text);

/**
 * html`<p>${value}</p>`: values are escaped, except HTML. Lists are joined; null, undefined and false are nothing.
 *
 * @param {TemplateStringsArray} strings
 * @param {unknown[]} values
 */
export const html = (strings, ...values) => new Html(String.raw({ raw: strings }, ...values.map(show)));

/** @param {object} values */
export const attributes = (values) => Object.entries(values).map(([name, value]) => html` ${name}="${String(value)}"`);

/**
 * @param {unknown} value
 * @returns {string}
 */
function show(value) {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(show).join("");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
