/** Git's configuration files: the last value of a key, and the keys of a section. */
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { unlessMissing, type Fs } from "./fs.ts";

export interface GitConfig {
  /** @param key section and name, `core.bare`; a subsection keeps its case */
  get(key: string): string | undefined;
  isTrue(key: string): boolean;
  /** The values of a section without subsection, by key. */
  section(name: string): ReadonlyMap<string, string>;
  /** The names of the remotes. */
  remotes(): string[];
}

/** Git follows includes to the same depth. */
const INCLUDES_MAX = 10;
const HEADER = /^\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]/;

/** The configuration files of the system and the user, in order of precedence, the weakest first. */
export function userConfigFiles(): string[] {
  const { env, platform } = process;
  const systemFile =
    platform === "win32" ? `${env.ProgramFiles ?? "C:/Program Files"}/Git/etc/gitconfig` : "/etc/gitconfig";
  const userFiles = [`${env.XDG_CONFIG_HOME || `${homedir()}/.config`}/git/config`, `${homedir()}/.gitconfig`];
  const files = env.GIT_CONFIG_GLOBAL ? [env.GIT_CONFIG_GLOBAL] : userFiles;
  return env.GIT_CONFIG_NOSYSTEM ? files : [env.GIT_CONFIG_SYSTEM ?? systemFile, ...files];
}

/** The repository's configuration, which overrides that of the files in `before`. `includeIf` is not supported. */
export async function readConfig(fs: Fs, gitDir: string, before: readonly string[] = []): Promise<GitConfig> {
  const values = new Map<string, string>();
  for (const path of [...before, `${gitDir}/config`]) await readInto(values, fs, path);
  if (configOf(values).isTrue("extensions.worktreeConfig")) await readInto(values, fs, `${gitDir}/config.worktree`);
  return configOf(values);
}

async function readInto(values: Map<string, string>, fs: Fs, path: string, depth = 0): Promise<void> {
  const text = (await unlessMissing(fs.readFile(path)))?.toString("utf8") ?? "";
  for (const [key, value] of settingsIn(text)) {
    values.set(key, value);
    if (key !== "include.path" || depth >= INCLUDES_MAX) continue;
    await readInto(values, fs, resolve(dirname(path), value.replace(/^~(?=\/)/, homedir())), depth + 1);
  }
}

/** @param values by normalized key */
export function configOf(values: ReadonlyMap<string, string>): GitConfig {
  const get = (key: string) => values.get(normalize(key));
  return {
    get,
    isTrue: (key) => /^(true|yes|on|[1-9]\d*)$/i.test(get(key) ?? ""),
    section(name) {
      const prefix = `${name.toLowerCase()}.`;
      const found = [...values].filter(([key]) => key.startsWith(prefix) && !key.includes(".", prefix.length));
      return new Map(found.map(([key, value]) => [key.slice(prefix.length), value]));
    },
    remotes: () => [...new Set([...values.keys()].flatMap((key) => /^remote\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []))],
  };
}

/** The keys of a file with their values, in order. */
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
    if (!key) continue;
    // A key without a value means true.
    yield [`${section}.${key.toLowerCase()}`, assigned === undefined ? "true" : valueOf(assigned)];
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Removes quotes, which may begin and end anywhere; outside of them, comments and surrounding spaces. */
function valueOf(text: string): string {
  let value = "";
  let end = 0;
  let quoted = false;
  const trimmed = text.trimStart();
  for (let i = 0; i < trimmed.length; i++) {
    const char = trimmed.charAt(i);
    if (char === '"') quoted = !quoted;
    else if (char === "\\") value += ESCAPES[trimmed[++i] ?? ""] ?? trimmed[i] ?? "";
    else if (!quoted && (char === "#" || char === ";")) break;
    else value += char;
    if (quoted || !/\s/.test(char)) end = value.length;
  }
  return value.slice(0, end);
}

function normalize(key: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}
