import MarkdownIt from "markdown-it";
import { html, raw } from "./html.js";

// As the service does it: HTML in the text is shown, not used.
const parser = new MarkdownIt();

export const markdown = (/** @type {string | undefined} */ text = "") =>
  html`<div class="prose">${raw(parser.render(text))}</div>`;
