/**
 * What was typed and not saved yet. The browser has it with every keystroke, the server a moment later, for the same account on
 * another device: it outlives a crash, a lost session and a lost connection.
 */
import { request } from "../api.ts";
import type { Values } from "../json.ts";

export interface TypedValues {
  /** What was typed when the page was open last; empty when all was saved. */
  readonly before: Values;
  /** @param values what is not saved; empty: everything is */
  keep(values: Values): void;
}

/** In milliseconds: a pause in typing after which the server is told. */
const TYPING_PAUSE = 700;

/** @param version of the page, which the values are based on */
export async function openTypedValues(id: number, lang: string, version: () => string | null): Promise<TypedValues> {
  const key = `git-cms.typed ${id} ${lang}`;
  const path = `pages/${id}/autosave/?language=${encodeURIComponent(lang)}`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let telling: Promise<unknown> = Promise.resolve();

  const tell = (values: Values): void => {
    const isDone = Object.keys(values).length === 0;
    const send = (): Promise<unknown> =>
      isDone ? request("DELETE", path) : request("PUT", path, { body: { values, version: version() } });
    // One after the other, so that the last one stays. The browser still has what the server could not be told.
    telling = telling.then(send).catch(() => undefined);
  };
  const kept = localStorage.getItem(key);
  const before = kept === null ? await onServer(path) : (JSON.parse(kept) as Values);

  return {
    before,
    keep(values) {
      if (Object.keys(values).length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(values));
      clearTimeout(timer);
      timer = setTimeout(() => tell(values), TYPING_PAUSE);
    },
  };
}

/** Empty also when the server cannot say: nothing that is typed now depends on it. */
const onServer = (path: string): Promise<Values> =>
  request<{ values: Values | null }>("GET", path).then(
    ({ value }) => value.values ?? {},
    () => ({}),
  );
