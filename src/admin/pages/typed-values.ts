/**
 * What was typed and not saved yet. The browser has it with every keystroke, the server a moment later, for the same account on
 * another device: it outlives a crash, a lost session and a lost connection.
 */
import { ApiError, request } from "../api.ts";
import { isRecord, type Values } from "../json.ts";
import { isTemporary, openTelling } from "./telling.ts";

export interface TypedValues {
  /** What was typed when the page was open last; empty when all was saved. */
  readonly before: Values;
  /** The version of the page that `before` was typed into; null: not known. */
  readonly version: string | null;
  /** @param values what is not saved; empty: everything is */
  keep(values: Values): void;
}

/** Tells the server what is typed; the keys are paths of autosaves. */
const server = openTelling<Kept>(
  (path, kept) =>
    Object.keys(kept.values).length === 0 ? request("DELETE", path) : request("PUT", path, { body: kept }),
  (error) => error instanceof ApiError && isTemporary(error.status),
);

/** @param page its path in the API, such as `pages/12` @param version of the page, which the values are based on */
export async function openTypedValues(page: string, lang: string, version: () => string | null): Promise<TypedValues> {
  const key = `git-cms.typed ${page} ${lang}`;
  const path = `${page}/autosave/?language=${encodeURIComponent(lang)}`;
  // Until it is told, the server has what was saved or discarded meanwhile: typed into an older version, it would
  // look like a conflict.
  const before = server.untold(path) ?? inBrowser(key) ?? (await onServer(path));

  return {
    before: before.values,
    version: before.version,
    keep(values) {
      const kept = { values, version: version() };
      if (Object.keys(values).length === 0) localStorage.removeItem(key);
      else keepInBrowser(key, kept);
      server.tell(path, kept);
    },
  };
}

interface Kept {
  readonly values: Values;
  readonly version: string | null;
}

function keepInBrowser(key: string, kept: Kept): void {
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // There is no room: an older text left there would be offered in place of the one that the server is told.
    localStorage.removeItem(key);
  }
}

const NOTHING: Kept = { values: {}, version: null };

/** undefined: there is nothing of this form. */
function inBrowser(key: string): Kept | undefined {
  const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<Kept> | null;
  return isRecord(kept?.values) ? { values: kept.values, version: kept.version ?? null } : undefined;
}

/** Nothing also when the server cannot say: nothing that is typed now depends on it. */
const onServer = (path: string): Promise<Kept> =>
  request<{ values: Values | null; version: string | null }>("GET", path).then(
    ({ value: { values, version } }) => (values === null ? NOTHING : { values, version }),
    () => NOTHING,
  );
