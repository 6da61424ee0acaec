/** Style and script of the reference page, which carries both in itself. */

export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2329; --soft: #57626c; --paper: #f6f4ef; --sheet: #fff; --line: #dcd8ce; --link: #1a5a96;
  --code: #f1eee7; --get: #1c6b3c; --post: #8a5300; --put: #6a3fa0; --patch: #6a3fa0; --delete: #b3261e; --mark: #e8eef6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --soft: #a3adb5; --paper: #14181c; --sheet: #1c2227; --line: #333b42;
  --link: #8ab8e6; --code: #262d33; --get: #7fce9c; --post: #e3b262; --put: #c4a6ee; --patch: #c4a6ee; --delete: #ff8a80; --mark: #24303d; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 5.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--link); }
code, pre { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--code); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--code); border-radius: .375rem; overflow: auto; max-height: 28rem; }
header { padding: 1.5rem clamp(1rem, 4vw, 2.5rem) .5rem; max-width: 90rem; margin: 0 auto; }
h1 { font-size: clamp(1.5rem, 4vw, 2rem); line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: .8125rem; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); margin: 1.25rem 0 .25rem; }
p { margin: .35rem 0; max-width: 70ch; }
.search { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); }
.search div { max-width: 90rem; margin: 0 auto; padding: .75rem clamp(1rem, 4vw, 2.5rem); display: flex; gap: 1rem; align-items: center; }
input { flex: 1; min-width: 0; max-width: 36rem; font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line);
  border-radius: .375rem; padding: .5rem .75rem; }
input:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
output { color: var(--soft); white-space: nowrap; font-size: .875rem; }
.columns { max-width: 90rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem) 4rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; }
nav ul { list-style: none; margin: 1rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem .9rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
@media (min-width: 62rem) { .columns { grid-template-columns: 12rem minmax(0, 1fr); }
  nav { position: sticky; top: 4.25rem; align-self: start; max-height: calc(100vh - 4.5rem); overflow: auto; padding-top: 1.5rem; }
  nav ul { display: block; margin: 0; } nav li { padding: .15rem 0; } }
details.item { background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
details.item > summary { cursor: pointer; padding: .6rem 1rem; display: grid; grid-template-columns: 4.25rem minmax(0, 1fr); gap: 0 .75rem;
  align-items: baseline; list-style: none; }
details.item > summary::-webkit-details-marker { display: none; }
details.item > summary:hover { background: var(--mark); border-radius: .5rem; }
details.item[open] > summary { border-bottom: 1px solid var(--line); border-radius: .5rem .5rem 0 0; }
details.schema > summary { grid-template-columns: minmax(0, 1fr); }
summary b { font: 600 .75rem/1.5 ui-monospace, monospace; text-transform: uppercase; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
summary .path { font: .9375rem/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
summary .what { grid-column: 2; color: var(--soft); font-size: .9375rem; }
details.schema .what { grid-column: 1; }
.inside { padding: .5rem 1rem 1rem; }
dl.keys { margin: .25rem 0; }
dl.keys > dt { border-top: 1px solid var(--line); padding-top: .4rem; margin-top: .4rem; overflow-wrap: anywhere; }
dl.keys > dd { margin: 0 0 0 1rem; }
details.refusals { margin-top: .5rem; }
dl.keys details > summary, .refusals > summary { cursor: pointer; color: var(--link); font-size: .875rem; }
.type, .soft { color: var(--soft); font-size: .875rem; } .required { color: var(--post); font-size: .8125rem; }
[hidden] { display: none !important; }
`;

/** Finds operations and schemas by their words, opens the one that an address names, and names the site of the examples. */
export const SCRIPT = `
(() => {
  const input = document.querySelector("input");
  const output = document.querySelector("output");
  const site = document.getElementById("site");
  if (site) site.textContent = location.origin;
  const items = [...document.querySelectorAll("details.item")];
  const sections = [...document.querySelectorAll("main section")];
  const words = new Map(items.map((item) => [item, item.dataset.words.toLowerCase()]));
  const find = () => {
    const wanted = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const item of items) {
      item.hidden = !wanted.every((word) => words.get(item).includes(word));
      if (!item.hidden) count++;
    }
    for (const section of sections) section.hidden = !section.querySelector("details.item:not([hidden])");
    output.textContent = wanted.length === 0 ? "" : count + " found";
  };
  const show = () => {
    const item = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!item) return;
    if (item.closest("[hidden]")) { input.value = ""; find(); }
    if (item.matches("details")) item.open = true;
    item.scrollIntoView();
  };
  input.addEventListener("input", find);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === input || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
  addEventListener("hashchange", show);
  show();
})();
`;
