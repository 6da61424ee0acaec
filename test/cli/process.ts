/** The built `cms` command as a process of its own, on a site in a temporary folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { GIT_ENV, gitSite, type GitSite } from "../store/git/git-site.ts";

export const COMMAND = fileURLToPath(new URL("../../bin/cms.cjs", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Runs as this user; only root can. */
  readonly uid?: number;
  /** How long a command may take. */
  readonly timeoutMs?: number;
  /** Kills it with SIGKILL once this is so. */
  readonly killOnce?: () => boolean;
  /** A program that runs the command, with its arguments, as `unshare` does in another pid namespace. */
  readonly within?: readonly string[];
}

/** A container's pid namespace and its own view of the processes in it; ended with its first process. */
export const IN_CONTAINER: readonly string[] = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...GIT_ENV,
  GIT_AUTHOR_NAME: "Pat Person",
  GIT_AUTHOR_EMAIL: "pat@example.org",
  NO_COLOR: "1",
  ...more,
});

/** Runs a command to its end. One that does not end is killed, and its code is null. */
export async function cms(
  args: readonly string[],
  { cwd = tmpdir(), env, uid, timeoutMs = 45_000, killOnce, within = [] }: RunOptions = {},
): Promise<Ended> {
  const [program = "", ...rest] = [...within, process.execPath, COMMAND, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid && { uid, gid: uid }),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const said = listen(child);
  const look = killOnce && setInterval(() => killOnce() && child.kill("SIGKILL"), 1);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(look);
  return { code, ...said() };
}

export interface Server {
  readonly url: string;
  readonly pid: number;
  said(): string;
  /** What it wrote to the standard output. */
  printed(): string;
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; headers: Headers; body: any }>;
  /** Sends a body as it is. @returns the status */
  post(path: string, type: string, body: Uint8Array): Promise<number>;
  /** The exit code, once it has one; null after a kill. */
  readonly ended: Promise<number | null>;
  /** Waits for the end. @returns the exit code, or null after a kill */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `cms serve` on a free port and waits until it answers. @throws with what it said when it ends instead */
export async function serve(
  root: string,
  args: readonly string[] = [],
  { token, ...options }: RunOptions & { token?: string } = {},
): Promise<Server> {
  const [program = "", ...rest] = [
    ...(options.within ?? []),
    process.execPath,
    COMMAND,
    "serve",
    "--root",
    root,
    "--port",
    "0",
    ...args,
  ];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? tmpdir(),
    env: environment(options.env),
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.uid && { uid: options.uid, gid: options.uid }),
  });
  const said = listen(child);
  const ended = once(child, "close") as Promise<[number | null]>;
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  });
  const url = await new Promise<string>((ready, fail) => {
    const look = (): void => {
      const found = /^ {2}➜ Site +(https?:\S+\/)$/m.exec(said().err)?.[1];
      if (found && /➜ Branch[^]*\n\n/.test(said().err)) ready(found);
    };
    child.stderr.on("data", look);
    void ended.then(([code]) => fail(new Error(`It ended with ${code}: ${said().err}`)));
  });
  return {
    url,
    pid: child.pid!,
    said: () => said().err,
    printed: () => said().out,
    ended: ended.then(([code]) => code),
    async ask(method, path, body) {
      const response = await fetch(url + path, {
        method,
        redirect: "manual",
        headers: {
          ...(token && { authorization: `Token ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json");
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    async post(path, type, body) {
      const headers = { "content-type": type, ...(token && { authorization: `Token ${token}` }) };
      const response = await fetch(url + path, { method: "POST", headers, body: body as Uint8Array<ArrayBuffer> });
      await response.arrayBuffer();
      return response.status;
    },
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

/** Waits for what another process does in its own time. @throws when it takes far too long */
export async function eventually(isSo: () => Promise<boolean>, patienceMs = 45_000): Promise<void> {
  for (const deadline = performance.now() + patienceMs; !(await isSo()); await pause(20)) {
    if (performance.now() > deadline) throw new Error(`After ${patienceMs} ms it is still not so: ${isSo.toString()}`);
  }
}

function listen(child: ChildProcess): () => { out: string; err: string } {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk) => (out += chunk));
  child.stderr?.on("data", (chunk) => (err += chunk));
  return () => ({ out, err });
}

export const PAGE = (id: number, title: string): string =>
  `id: ${id}\ndate_created: 2026-01-02T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n    permalink: /${title.toLowerCase()}\n    published_at: 2026-01-02T00:00:00.000Z\n  it:\n    title: ${title}\n`;

/** A small site, committed. */
export function site(files: Readonly<Record<string, string>> = {}): GitSite {
  const made = gitSite({
    "cms.config.yaml": "LANGUAGE_CODE: en\nLANGUAGES: { en: English, it: Italiano }\n",
    "templates/defaults/pages/default.html": "<h1>{{ page.title }}</h1>",
    "content/pages/about.yaml": PAGE(12, "About"),
    ...files,
  });
  // A site may have thousands of files, and the machine may be busy.
  onTestFinished(made.remove, 120_000);
  return made;
}

/** What the first account of a site left behind, by the commands that made it: they take a second. */
const firstAccounts = new Map<string, { readonly file: Buffer; readonly ended: Ended }>();

/** The commands, or their outcome at an earlier site without accounts. @param key names the commands */
async function firstAccount(root: string, key: string, make: () => Promise<Ended>): Promise<Ended> {
  const path = join(root, ".git/cms/accounts.json");
  if (existsSync(path)) return make();
  const known = firstAccounts.get(key);
  if (known) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, known.file, { mode: 0o600 });
    return known.ended;
  }
  const ended = await make();
  if (ended.code === 0 && existsSync(path)) firstAccounts.set(key, { file: readFileSync(path), ended });
  return ended;
}

/** `cms user add`. */
export const addUser = (root: string, args: readonly string[], password: string): Promise<Ended> =>
  firstAccount(root, [password, ...args].join(" "), () =>
    cms(["user", "add", ...args, "--root", root], { env: { CMS_PASSWORD: password } }),
  );

/** A token of a superuser of the site. */
export async function tokenFor(root: string): Promise<string> {
  const { out } = await firstAccount(root, "token", async () => {
    await addUser(root, ["edith", "--staff", "--superuser"], "open sesame");
    return cms(["token", "edith", "--root", root]);
  });
  return out.trim();
}

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cms-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
