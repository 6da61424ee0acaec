/** What to try after a failure of a template. */
import { expect, it } from "vitest";
import { hintFor, VARIABLES } from "../../src/render/template-hints.ts";

const NAMES = {
  functions: ["articles", "render_menu"],
  filters: ["markdown", "srcset"],
  variables: VARIABLES,
  templates: ["parts/menu.html", "base.html"],
};

// oxfmt-ignore
it.each<[reason: string, hint: string | undefined]>([
  ["Error: Unable to call `article`, which is undefined or falsey",  "There is no function `article`. Did you mean `articles`?"],
  ["Error: Unable to call `menu`, which is undefined or falsey",     "There is no function `menu`. `menus` is a variable, without parentheses: `menus.name`."],
  ["Error: Unable to call `markdown`, which is undefined or falsey", "`markdown` is a filter: write `value | markdown`."],
  ["Error: Unable to call `xyzzy`, which is undefined or falsey",    "There is no function `xyzzy`."],
  ["Error: filter not found: markdwon",                              "There is no filter `markdwon`. Did you mean `markdown`?"],
  ["template not found: part/menu.html",                             "There is no file `templates/part/menu.html`. Did you mean `parts/menu.html`? Paths begin below `templates/`, not beside the template that names them."],
  ["TypeError: anything else",                                       undefined],
])("%s", (reason, hint) => expect(hintFor(reason, NAMES)).toBe(hint));
