/** Git's configuration files, as far as this program asks: the last value of a key, and all keys of a section. */

export interface GitConfig {
  /** @param key section and name, `core.bare`; a subsection keeps its case */
  get(key: string): string | undefined;
  isTrue(key: string): boolean;
  /** Every key of a section without subsection, by name. */
  section(name: string): ReadonlyMap<string, string>;
  /** Names of the remotes. */
  remotes(): string[];
}

const HEADER = /^\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]/;

/** Later texts override earlier ones, as the repository's own file does the user's. Includes are not followed. */
export const parseConfig = (...texts: readonly string[]): GitConfig =>
  configOf(new Map(texts.flatMap((text) => [...settingsIn(text)])));

/** @param values by key as `settingsIn` has them */
export function configOf(values: ReadonlyMap<string, string>): GitConfig {
  const get = (key: string) => values.get(normalized(key));
  return {
    get,
    isTrue: (key) => /^(true|yes|on|[1-9]\d*)$/i.test(get(key) ?? ""),
    section(name) {
      const prefix = `${name.toLowerCase()}.`;
      const own = [...values].filter(([key]) => key.startsWith(prefix) && !key.includes(".", prefix.length));
      return new Map(own.map(([key, value]) => [key.slice(prefix.length), value]));
    },
    remotes: () => [...new Set([...values.keys()].flatMap((key) => /^remote\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []))],
  };
}

/** Every key of a file with its value, in their order. */
export function* settingsIn(text: string): Generator<[key: string, value: string]> {
  let section = "";
  // A backslash at the end of a line continues it.
  for (const raw of text
    .replace(/^\uFEFF/, "")
    .replace(/\\\r?\n/g, "")
    .split(/\r?\n/)) {
    let line = raw.trim();
    const header = HEADER.exec(line);
    if (header) {
      const [whole, name = "", sub] = header;
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub.replace(/\\(.)/g, "$1")}`;
      line = line.slice(whole.length).trim();
    }
    const [, key, assigned] = /^([a-z][a-z0-9-]*)\s*(?:=(.*))?$/i.exec(line) ?? [];
    // A comment, or nothing.
    if (!key) continue;
    // A key alone means true.
    yield [`${section}.${key.toLowerCase()}`, assigned === undefined ? "true" : valueOf(assigned)];
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Quotes may begin and end anywhere; outside of them a comment ends the value and spaces at the edges go. */
function valueOf(text: string): string {
  let value = "";
  let end = 0;
  let quoted = false;
  const trimmed = text.trimStart();
  for (let i = 0; i < trimmed.length; i++) {
    const char = trimmed[i]!;
    if (char === '"') quoted = !quoted;
    else if (char === "\\") value += ESCAPES[trimmed[++i] ?? ""] ?? trimmed[i] ?? "";
    else if (!quoted && (char === "#" || char === ";")) break;
    else value += char;
    if (quoted || !/\s/.test(char)) end = value.length;
  }
  return value.slice(0, end);
}

function normalized(key: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}
