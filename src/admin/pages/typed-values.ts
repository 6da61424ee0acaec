/** What was typed and not saved yet, kept by the browser: it outlives a crash, a lost session and a lost connection. */
import type { Values } from "../json.ts";

const keyOf = (id: number, lang: string): string => `git-cms.typed ${id} ${lang}`;

export function typedBefore(id: number, lang: string): Values {
  const kept = localStorage.getItem(keyOf(id, lang));
  return kept === null ? {} : (JSON.parse(kept) as Values);
}

export function keepTyped(id: number, lang: string, changes: Values): void {
  if (Object.keys(changes).length === 0) localStorage.removeItem(keyOf(id, lang));
  else localStorage.setItem(keyOf(id, lang), JSON.stringify(changes));
}

/** @param rest what was typed while the rest was saved */
export const forgetTyped = (id: number, lang: string, rest: Values = {}): void => keepTyped(id, lang, rest);
