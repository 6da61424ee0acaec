/**
 * Parses `.gitattributes` files, and finds the attributes of a path.
 *
 * Patterns and paths are latin1 strings, one character a byte, because git compares bytes. `git check-attr` is not used,
 * because the service starts no programs.
 *
 * Source: gitattributes(5), and attr.c and wildmatch.c of git 2.39.
 */
import { compileGlob } from "./glob.ts";

export const ATTRIBUTES_FILE = ".gitattributes";

/** `true`: set; `false`: unset (`-name`); `null`: explicitly unspecified (`!name`); a string: `name=value`. */
export type AttributeValue = true | false | null | string;

type Setting = readonly [name: string, value: AttributeValue];

export interface AttributesFile {
  readonly rules: readonly { matches(path: string): boolean; readonly settings: readonly Setting[] }[];
  readonly macros: ReadonlyMap<string, readonly Setting[]>;
}

export interface ParseOptions {
  /** The file's folder, one character a byte; "" for the root and for files outside the working tree. */
  readonly folder?: string;
  /** Only the file in the root, and those outside the working tree, may define macros. */
  readonly macros?: boolean;
  /** `core.ignoreCase` */
  readonly ignoreCase?: boolean;
}

/** Git ignores longer lines. */
const LINE_MAX = 2048;
const NAME = /^[\w.][-\w.]*$/;
const MACRO = "[attr]";

/** The macros that git defines itself. */
const BUILT_IN: AttributesFile = {
  rules: [],
  macros: new Map([
    [
      "binary",
      [
        ["diff", false],
        ["merge", false],
        ["text", false],
      ],
    ],
  ]),
};

/** @param text one character a byte. Malformed lines are ignored, as git does. */
export function parseAttributes(text: string, options: ParseOptions = {}): AttributesFile {
  const { folder = "", macros = false, ignoreCase = false } = options;
  const rules: { matches(path: string): boolean; settings: Setting[] }[] = [];
  const defined = new Map<string, Setting[]>();
  for (const line of text.replace(/^\u00ef\u00bb\u00bf/, "").split("\n")) {
    const parsed = line.length < LINE_MAX ? parseLine(line) : undefined;
    if (!parsed) continue;
    const { pattern, settings, isQuoted } = parsed;
    if (!isQuoted && pattern.startsWith(MACRO) && pattern.length > MACRO.length) {
      const name = pattern.slice(MACRO.length);
      if (macros && NAME.test(name)) defined.set(name, settings);
    } else {
      const matches = matcherOf(pattern, folder, ignoreCase);
      if (matches) rules.push({ matches, settings });
    }
  }
  return { rules, macros: defined };
}

function parseLine(line: string): { pattern: string; settings: Setting[]; isQuoted: boolean } | undefined {
  const text = line.replace(/^[ \t\r]+/, "");
  if (text === "" || text.startsWith("#")) return undefined;
  const quoted = text.startsWith('"') ? unquote(text) : undefined;
  const end = text.search(/[ \t\r]/);
  const pattern = quoted?.value ?? (end < 0 ? text : text.slice(0, end));
  const rest = quoted?.rest ?? (end < 0 ? "" : text.slice(end));
  const settings: Setting[] = [];
  for (const word of rest.split(/[ \t\r]+/)) {
    if (word === "") continue;
    const sign = word[0] === "-" || word[0] === "!" ? word[0] : "";
    const equals = word.indexOf("=");
    const name = word.slice(sign.length, equals < 0 ? undefined : equals);
    // Git ignores a line with an invalid name.
    if (!NAME.test(name)) return undefined;
    settings.push([name, sign === "-" ? false : sign === "!" ? null : equals < 0 ? true : word.slice(equals + 1)]);
  }
  return { pattern, settings, isQuoted: quoted !== undefined };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

/** Parses a quoted string with C escapes; undefined if it is malformed, and is then taken literally. */
function unquote(text: string): { value: string; rest: string } | undefined {
  let value = "";
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '"') return { value, rest: text.slice(at + 1) };
    if (text[at] !== "\\") {
      value += text[at];
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const escaped = octal ? String.fromCharCode(Number.parseInt(octal, 8)) : ESCAPES[text[at + 1] ?? ""];
    if (escaped === undefined) return undefined;
    value += escaped;
    at += octal ? octal.length : 1;
  }
  return undefined;
}

/** undefined for a pattern that matches no file: one for folders, or a negative one. */
function matcherOf(pattern: string, folder: string, ignoreCase: boolean): ((path: string) => boolean) | undefined {
  if (pattern.startsWith("!") || pattern.endsWith("/") || pattern === "") return undefined;
  const matchesName = !pattern.includes("/");
  const matches = compileGlob(pattern.replace(/^\//, ""), ignoreCase);
  if (!matches) return undefined;
  const prefix = folder === "" ? "" : `${folder}/`;
  return (path) => {
    if (!path.startsWith(prefix)) return false;
    return matches(matchesName ? path.slice(path.lastIndexOf("/") + 1) : path.slice(prefix.length));
  };
}

/** The files with only those rules on which the value of one of these attributes depends, for any path. */
export function rulesFor(names: readonly string[], files: readonly AttributesFile[]): AttributesFile[] {
  const macros = [BUILT_IN, ...files].flatMap((file) => [...file.macros.keys()]);
  const relevant = new Set([...names, ...macros]);
  return files.map((file) => ({
    ...file,
    rules: file.rules.filter(({ settings }) => settings.some(([name]) => relevant.has(name))),
  }));
}

/**
 * The values of the named attributes for a path, without unspecified ones.
 *
 * @param path one character a byte
 * @param files in order of precedence, the weakest first, without the built-in macros
 */
export function attributesOf(
  path: string,
  files: readonly AttributesFile[],
  names: readonly string[],
): Map<string, AttributeValue> {
  const found = new Map<string, AttributeValue>();
  const strongest = [BUILT_IN, ...files].reverse();
  const macroOf = (name: string) => strongest.find((file) => file.macros.has(name))?.macros.get(name);
  const apply = (settings: readonly Setting[]): void => {
    for (const [name, value] of [...settings].reverse()) {
      // The strongest file, and the last line of a file, takes precedence.
      if (found.has(name)) continue;
      found.set(name, value);
      if (value === true) apply(macroOf(name) ?? []);
    }
  };
  for (const { rules } of strongest) {
    for (const { matches, settings } of [...rules].reverse()) if (matches(path)) apply(settings);
  }
  return new Map(
    names.flatMap((name) => {
      const value = found.get(name);
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}
