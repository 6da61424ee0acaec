/**
 * What was typed and not saved yet. The browser has it with every keystroke, the server a moment later, for the same account on
 * another device: it outlives a crash, a lost session and a lost connection.
 */
import { ApiError, get, request } from "../../api.ts";
import { isRecord, type Values } from "../../json.ts";
import type { KeptValues } from "../../records/record-state.ts";
import { enterTab, TAB } from "./own-tabs.ts";
import { isTemporary, openTelling } from "./telling.ts";

/** Tells the server what is typed; the keys are paths of autosaves. */
const server = openTelling<Kept>(
  (path, kept) =>
    Object.keys(kept.values).length === 0
      ? request("DELETE", path, { outlivesPage: true })
      : request("PUT", path, { body: kept, outlivesPage: true }),
  (error) => error instanceof ApiError && isTemporary(error.status),
);
// What was saved and is still kept on the server would look like a conflict when the page is opened again.
addEventListener("pagehide", () => server.flush());

interface Kept {
  readonly values: Values;
  readonly version: string | null;
}

/** What a tab has; the text of a tab that is still open is its own. */
interface KeptByTab extends Kept {
  readonly tab: string;
}

/**
 * What this account left in tabs that are closed now is put together, field by field, the newest last.
 *
 * @param page its path in the API, such as `pages/12`
 * @param version of the page, which the values are based on
 */
export async function openTypedValues(page: string, lang: string, version: string | null): Promise<KeptValues> {
  const prefix = `git-cms.typed ${page} ${lang}`;
  const pathOf = (tab: string): string => `${page}/autosave/?language=${encodeURIComponent(lang)}&tab=${tab}`;
  const path = pathOf(TAB);
  const [openTabs, there] = await Promise.all([enterTab(`${page} ${lang}`), onServer(pathOf(""))]);
  // Until it is told, the server has what was saved or discarded meanwhile: typed into an older version, it would
  // look like a conflict.
  const own = server.untold(path);
  const here = inBrowser(prefix).filter(({ tab }) => tab !== TAB || !own);
  const known = new Set([...here.map(({ tab }) => tab), ...(own ? [TAB] : [])]);
  const left = [...there.filter(({ tab }) => !known.has(tab)), ...here, ...(own ? [{ ...own, tab: TAB }] : [])].filter(
    ({ tab }) => !openTabs.has(tab),
  );
  let closed = left.filter(({ tab }) => tab !== TAB);
  return {
    before: Object.assign({}, ...left.map(({ values }) => values)) as Values,
    // An older version than that of the page, if any was typed into one.
    version: left.find((each) => each.version !== version)?.version ?? left.at(-1)?.version ?? null,
    keep(values, basedOn) {
      const kept = { values, version: basedOn };
      if (Object.keys(values).length === 0) localStorage.removeItem(`${prefix} ${TAB}`);
      else keepInBrowser(`${prefix} ${TAB}`, kept);
      server.tell(path, kept, Object.keys(values).length === 0 || closed.length > 0 ? 0 : undefined);
      // What closed tabs left is among these values now, and is told before it is taken away there.
      for (const { tab } of closed) {
        localStorage.removeItem(tab === "" ? prefix : `${prefix} ${tab}`);
        server.tell(pathOf(tab), { values: {}, version: null });
      }
      closed = [];
    },
  };
}

function keepInBrowser(key: string, kept: Kept): void {
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // There is no room: an older text left there would be offered in place of the one that the server is told.
    localStorage.removeItem(key);
  }
}

/** What tabs of this browser typed; an older editor has one text for all tabs. */
function inBrowser(prefix: string): KeptByTab[] {
  return Object.keys(localStorage).flatMap((key) => {
    if (key !== prefix && !key.startsWith(`${prefix} `)) return [];
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<Kept> | null;
    if (!isRecord(kept?.values)) return [];
    return [{ tab: key.slice(prefix.length + 1), values: kept.values, version: kept.version ?? null }];
  });
}

/** Nothing also when the server cannot say: nothing that is typed now depends on it. */
const onServer = (path: string): Promise<readonly KeptByTab[]> =>
  get<{ readonly tabs: readonly KeptByTab[] }>(path).then(
    ({ tabs }) => tabs,
    () => [],
  );
