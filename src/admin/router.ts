/** The address of the screen that is shown: paths below the editor's own address. */
import { signal } from "@preact/signals";

/** Ends with a slash. */
const BASE = new URL(document.baseURI).pathname;

export interface Route {
  /** Segments below the base. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

export const route = signal<Route>(readRoute());

/** Whether the screen may be left; asked before every move within the editor. */
let guard: () => boolean = () => true;
export const guardLeaving = (mayLeave: () => boolean): void => void (guard = mayLeave);

/** @param path below the base, such as `pages/12?lang=it` */
export const hrefOf = (path: string): string => BASE + path;

export function go(path: string, { replaces = false } = {}): void {
  if (!replaces && !guard()) return;
  history[replaces ? "replaceState" : "pushState"](null, "", hrefOf(path));
  route.value = readRoute();
}

/** The same screen with other values in the query of its address, so that going back shows it again; an empty one is taken out. */
export function goWith(changes: Readonly<Record<string, string>>, replaces = true): void {
  const { segments, query } = route.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  go(`${segments.join("/")}?${next}`, { replaces });
}

function readRoute(): Route {
  const { pathname, searchParams } = new URL(location.href);
  const below = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : "";
  return { segments: below.split("/").filter((segment) => segment !== ""), query: searchParams };
}

addEventListener("popstate", () => (route.value = readRoute()));

/** Clicks on links of the editor change the screen without loading it again. */
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target !== "" || link.origin !== location.origin || !link.pathname.startsWith(BASE)) return;
  event.preventDefault();
  go(link.pathname.slice(BASE.length) + link.search);
});
