/**
 * `<cms-search>`: a search of the built site as an element, and `search` for interfaces of one's own.
 *
 * The results are a list of links below the field: arrows go through them, Escape leaves them, and how many there are is
 * announced. Its looks are changed by CSS parts: `input`, `status`, `results`, `result`, `link`, `title`, `passage`, `mark`.
 */
import { search, type FoundPages } from "./search.ts";

export { search } from "./search.ts";

const TEXTS: Readonly<Record<string, readonly [label: string, none: string, one: string, many: string]>> = {
  en: ["Search", "Nothing found", "1 result", "# results"],
  it: ["Cerca", "Nessun risultato", "1 risultato", "# risultati"],
};

const STYLE = `
:host { display: block; position: relative; }
input { box-sizing: border-box; width: 100%; padding: .4em .6em; font: inherit; color: inherit; background: transparent; border: 1px solid; border-radius: .25em; }
input:focus-visible, a:focus-visible { outline: 2px solid; outline-offset: 2px; }
[role=status] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[part=results] { box-sizing: border-box; position: absolute; z-index: 10; inset-inline-end: 0; width: max(100%, min(24em, 85vw)); max-height: 70vh; overflow: auto; margin: .25em 0; padding: .25em; list-style: none; color: CanvasText; background: Canvas; border: 1px solid; border-radius: .25em; }
[part=results]:empty { display: none; }
a { display: block; padding: .5em; color: inherit; text-decoration: none; }
a:hover { text-decoration: underline; }
[part=title] { font-weight: bold; display: block; }
[part=passage] { font-size: .875em; }
mark { color: inherit; background: none; font-weight: bold; text-decoration: underline; }
`;

/** In milliseconds: a pause in typing. */
const PAUSE = 120;

class CmsSearch extends HTMLElement {
  #latest = 0;

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const language = this.closest<HTMLElement>("[lang]")?.lang || "en";
    const [label, none, one, many] = TEXTS[language.slice(0, 2)] ?? TEXTS.en!;
    const text = (name: string, known: string): string => this.getAttribute(name) ?? known;
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    const input = part("input", "input");
    input.type = "search";
    input.autocomplete = "off";
    input.placeholder = input.ariaLabel = text("label", label);
    const status = part("div", "status");
    status.role = "status";
    const results = part("ul", "results");
    root.append(input, status, results);

    const show = ({ total, items }: FoundPages): void => {
      results.replaceChildren(
        ...items.map((item) => {
          const [result, link, title] = [part("li", "result"), part("a", "link"), part("span", "title")];
          link.href = item.url;
          title.textContent = item.title;
          link.append(title, passageOf(item));
          result.append(link);
          return result;
        }),
      );
      status.textContent =
        total === 0 ? text("none", none) : total === 1 ? text("one", one) : text("many", many).replace("#", `${total}`);
    };
    const clear = (): void => {
      results.replaceChildren();
      status.textContent = "";
    };
    input.addEventListener("input", () => {
      const nth = ++this.#latest;
      if (input.value.trim() === "") return clear();
      setTimeout(async () => {
        if (nth !== this.#latest) return;
        const base = this.getAttribute("base");
        const items = Number(this.getAttribute("items") ?? 10);
        const found = await search(input.value, { language, items, ...(base !== null && { base }) }).catch(
          () => undefined,
        );
        if (found && nth === this.#latest) show(found);
      }, PAUSE);
    });
    root.addEventListener("keydown", (event) => {
      const { key } = event as KeyboardEvent;
      const links = [...results.querySelectorAll("a")];
      const at = links.indexOf(root.activeElement as HTMLAnchorElement);
      if (key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
      else if (key === "ArrowUp") (links[at - 1] ?? input).focus();
      else if (key === "Enter" && at < 0) links[0]?.click();
      else if (key === "Escape" && links.length > 0) {
        clear();
        input.focus();
      } else return;
      event.preventDefault();
    });
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !this.contains(relatedTarget) && relatedTarget !== this) clear();
    });
  }
}

function part<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.part.add(name);
  return element;
}

/** Text nodes and marks alone: nothing of a text is read as HTML. */
function passageOf({ text, marks }: FoundPages["items"][number]): HTMLElement {
  const passage = part("span", "passage");
  let done = 0;
  for (const [start, end] of marks) {
    const mark = part("mark", "mark");
    mark.textContent = text.slice(start, end);
    passage.append(text.slice(done, start), mark);
    done = end;
  }
  passage.append(text.slice(done));
  return passage;
}

customElements.define("cms-search", CmsSearch);
