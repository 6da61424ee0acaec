/**
 * A site for tests: the real wiring over a repository in memory (or on disk), a manual clock, and
 * accounts in a temporary folder. Requests are passed to the app without a port.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { addUser } from "../src/actions/accounts/accounts.ts";
import { tokenOf } from "../src/actions/accounts/sign-in.ts";
import { openCms, type Cms } from "../src/cms.ts";
import { defaultConfig, type SettingsInput } from "../src/config.ts";
import type { Env } from "../src/env.ts";
import { h3App } from "../src/http/app/h3-app.ts";
import { instantOf, msOf, parseInstant, type Instant } from "../src/model/time/instant.ts";
import { memoryRepo, type MemoryRepo } from "./support/memory-repo.ts";
import type { Repo } from "../src/store/repo.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The body as JSON. @throws when it is not JSON */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface AskOptions {
  /** Objects are sent as JSON, text and bytes unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The role whose token is sent; null for none. */
  readonly as?: Role | null;
  /** The client's address. */
  readonly from?: string;
}

export type Role = "reader" | "staff" | "superuser";

export interface TestSite {
  readonly cms: Cms;
  readonly clock: Clock;
  /** The log lines. */
  readonly logged: string[];
  /** @param path below the site's root; `api:` in front stands for the API root */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  /** A request as staff with JSON body and answer. @throws when the status is not 2xx */
  // oxlint-disable-next-line typescript/no-explicit-any
  api(method: string, path: string, body?: unknown): Promise<any>;
  token(role: Role): Promise<string>;
  /** Creates a page and publishes it in the given languages. @returns its payload */
  // oxlint-disable-next-line typescript/no-explicit-any
  page(body: object, publishedIn?: readonly string[]): Promise<any>;
}

export interface MemorySite extends TestSite {
  readonly repo: MemoryRepo;
}

export interface Clock {
  now(): Instant;
  /** Sets the time; ISO 8601 with a zone. */
  set(at: string): void;
  /** Moves the time forward, in milliseconds. */
  tick(ms: number): void;
}

export const START = "2026-03-01T12:00:00.000Z";

/** @param files the initial, committed tree */
export async function memorySite(
  files: Record<string, string> = {},
  settings: SettingsInput = {},
): Promise<MemorySite> {
  const stateDir = await temporaryFolder();
  const repo = memoryRepo(Object.keys(files).length > 0 ? files : { "content/pages/.gitkeep": "" }, {
    stateDir,
    root: stateDir,
  });
  return { ...(await siteOver(repo, stateDir, settings)), repo };
}

/** @param root where templates are looked for */
export async function siteOver(repo: Repo, root: string, settings: SettingsInput = {}, at = START): Promise<TestSite> {
  const clock = clockAt(at);
  const logged: string[] = [];
  let ids = 0;
  let uuids = 0;
  const env: Env = {
    now: clock.now,
    elapsed: () => msOf(clock.now()),
    hasStepped: () => false,
    randomId: () => ++ids,
    uuid: () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, "0")}`,
    log: { info: (line) => logged.push(line), warn: (line) => logged.push(line), error: (line) => logged.push(line) },
  };
  const cms = await openCms(root, { config: defaultConfig(settings), env, repo, hashCost: { N: 16, r: 8, p: 1 } });
  onTestFinished(() => cms.close());
  const app = h3App(cms);
  const tokens = new Map<Role, Promise<string>>();
  const token = (role: Role): Promise<string> => {
    const made = tokens.get(role) ?? makeToken(cms, role);
    tokens.set(role, made);
    return made;
  };
  const ask = async (
    method: string,
    path: string,
    { body, headers = {}, as = null, from }: AskOptions = {},
  ): Promise<Answer> => {
    const url = `http://test.local${path.replace(/^api:/, "/api/cms/")}`;
    const isText =
      typeof body === "string" || body === undefined || body instanceof Uint8Array || body instanceof ReadableStream;
    const request = new Request(url, {
      method,
      headers: {
        ...(as && { authorization: `Token ${await token(as)}` }),
        ...(!isText && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? (body as string) : JSON.stringify(body) }),
      duplex: "half",
    } as RequestInit);
    const response = await app.request(from === undefined ? request : Object.assign(request, { ip: from }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    return {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      get body() {
        return JSON.parse(text);
      },
    };
  };
  const api: TestSite["api"] = async (method, path, body) => {
    const answer = await ask(method, `api:${path}`, { body, as: "staff" });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.text === "" ? undefined : answer.body;
  };
  return {
    cms,
    clock,
    logged,
    ask,
    api,
    token,
    async page(body, publishedIn = []) {
      let page = await api("POST", "pages/", body);
      for (const lang of publishedIn) page = await api("POST", `pages/${page.id}/publish/?language=${lang}`);
      return page;
    },
  };
}

/** Writes a template into the site's folder. */
export function writeTemplate(site: MemorySite, name: string, text = "{{ page.title }}"): void {
  const file = join(site.repo.root, "templates", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function clockAt(start: string): Clock {
  let now = momentOf(start);
  return {
    now: () => now,
    set(at) {
      now = momentOf(at);
    },
    tick(ms) {
      now = instantOf(msOf(now) + ms);
    },
  };
}

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "git-cms-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function momentOf(text: string): Instant {
  const at = parseInstant(text);
  if (!at) throw new Error(`${text} is no moment`);
  return at;
}

async function makeToken(cms: Cms, role: Role): Promise<string> {
  const account = await addUser(cms.accounts, {
    username: role,
    password: `open-sesame-${role}`,
    is_staff: role !== "reader",
    is_superuser: role === "superuser",
  });
  return tokenOf(cms.accounts, account);
}

/** The public view of the newest content, as for the manifest. */
export const publicViewOf = ({ config, locales, store, env }: Cms) =>
  ({ content: store.current, config, locales, lang: "en", now: env.now(), surface: "public", origin: "" }) as const;
