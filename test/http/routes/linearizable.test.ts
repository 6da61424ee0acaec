/**
 * Several editors change one page in random histories: the order of the commits must explain every answer.
 *
 * Each write has a unique value, so an answer identifies its state. LINEARIZABLE_HISTORIES sets how
 * many histories run (default 6), LINEARIZABLE_SEED the first seed.
 */
import { execFileSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { addUser } from "../../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../../src/actions/accounts/sign-in.ts";
import { h3App } from "../../../src/http/app/h3-app.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "../../store/git/git-site.ts";
import { siteOver } from "../../site.ts";
import { contradictions, type Op } from "./register-history.ts";
import { expectSameOnDisk } from "../../support/restart.ts";

const HISTORIES = Number(process.env.LINEARIZABLE_HISTORIES ?? 6);
const SEED = Number(process.env.LINEARIZABLE_SEED ?? 1);
const CLIENTS = 6;
const REQUESTS = 10;

/** The state that both a page's payload and its files show. */
interface State {
  readonly title: string;
  readonly isTrashed: boolean;
  readonly isPublished: boolean;
  readonly draft: string | null;
}

/** The state after a commit; null once the page is deleted. */
interface Version {
  readonly state: State | null;
  /** Identifies the bytes of its files. */
  readonly files: string;
  readonly author: string;
  readonly action: string;
}

interface Answered {
  readonly client: string;
  readonly action: string;
  /** The sent `If-Match`. */
  readonly ifMatch?: string;
  readonly start: number;
  readonly end: number;
  readonly status: number;
  readonly etag: string | null;
  readonly state: State | null;
  /** Of a 412: the current version. */
  readonly current?: string;
}

type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Response>;

it.each(Array.from({ length: HISTORIES }, (_, n) => SEED + n))(
  "answers are those of one order, with seed %i",
  { timeout: 60_000 },
  async (seed) => {
    const site = gitSite({ "content/pages/about.yaml": "id: 7\ntranslations:\n  en:\n    title: T0\n" });
    onTestFinished(() => site.remove());
    const { cms } = await siteOver(await openGitRepo(site.dir, { env: quietEnv() }), site.dir);
    const app = h3App(cms);
    let events = 0;
    const answers: Answered[] = [];
    const play = async (client: string, random: () => number): Promise<void> => {
      const account = await addUser(cms.accounts, { username: client, password: "correct horse", is_superuser: true });
      const authorization = `Token ${await tokenOf(cms.accounts, account)}`;
      const ask: Ask = async (method, path, body, headers) =>
        await app.request(`http://test.local/api/cms/pages/7/${path}?language=en`, {
          method,
          headers: { authorization, "content-type": "application/json", ...headers },
          ...(body && { body: JSON.stringify(body) }),
        });
      let etag: string | undefined;
      /** Actions since the last change that may change nothing: repeated ones could not be distinguished. */
      const vague = new Set<string>();
      for (let n = 0; n < REQUESTS; n++) {
        const value = `${client}-${n}`;
        const [action, request] = choose(random(), value, etag);
        if (VAGUE.includes(action) && vague.has(action)) continue;
        vague.add(action);
        const start = events++;
        const response = await request(ask);
        const end = events++;
        const payload =
          response.status === 200 || response.status === 412 ? ((await response.json()) as Payload) : undefined;
        if (action === "update" && response.status === 200) vague.clear();
        etag = response.headers.get("etag") ?? etag;
        answers.push({
          client,
          action,
          start,
          end,
          status: response.status,
          etag: response.headers.get("etag"),
          state: response.status === 200 ? stateOf(payload!) : null,
          ...(isConditional(request) && { ifMatch: request.ifMatch }),
          ...(payload?.current !== undefined && { current: `"${payload.current}"` }),
        });
      }
    };
    const random = randomOf(seed);
    await Promise.all(Array.from({ length: CLIENTS }, (_, n) => play(`client${n}`, randomOf(random() * 2 ** 31))));

    await expectSameOnDisk(cms, site.dir);
    expect(new Set(answers.map(({ status }) => status))).toSatisfy((all: Set<number>) =>
      [...all].every((status) => [200, 204, 404, 412].includes(status)),
    );
    const versions = versionsIn(site);
    const { ops, etags } = explained(answers, versions);
    expect(contradictions(ops, versions.length - 1)).toEqual([]);
    const named = versions.flatMap(({ files }, at) => (etags[at] === undefined ? [] : [[files, etags[at]!] as const]));
    expect(new Set(named.map(([, etag]) => etag)).size, "an ETag for each version of the files, and one only").toBe(
      new Set(named.map((pair) => pair.join())).size,
    );
    expect(new Set(named.map(([files]) => files)).size).toBe(new Set(named.map((pair) => pair.join())).size);
  },
);

/** Idempotent actions. */
const VAGUE = ["publish", "trash", "restore"];

interface Conditional {
  (ask: Ask): Promise<Response>;
  readonly ifMatch: string;
}
const isConditional = (request: object): request is Conditional => "ifMatch" in request;

/** A random request, named as in its commit. */
function choose(
  chance: number,
  value: string,
  etag: string | undefined,
): [string, ((ask: Ask) => Promise<Response>) | Conditional] {
  const on = (version: string): Conditional =>
    Object.assign((ask: Ask) => ask("PATCH", "", { title_en: value }, { "if-match": version }), { ifMatch: version });
  if (chance < 0.2) return ["read", (ask) => ask("GET", "")];
  if (chance < 0.4) return ["update", (ask) => ask("PATCH", "", { title_en: value })];
  if (chance < 0.5) return ["update", (ask) => ask("PUT", "", { title_en: value })];
  if (chance < 0.7 && etag) return ["update", on(etag)];
  if (chance < 0.8) return ["draft", (ask) => ask("PUT", "draft/", { title_en: value })];
  if (chance < 0.87) return ["publish", (ask) => ask("POST", "publish/")];
  if (chance < 0.93) return ["trash", (ask) => ask("POST", "trash/")];
  if (chance < 0.985) return ["restore", (ask) => ask("POST", "restore/")];
  return ["delete", (ask) => ask("DELETE", "")];
}

interface Payload {
  readonly translations: { readonly en: { readonly title: string; readonly published_at: string | null } };
  readonly deleted_at: string | null;
  readonly draft_data: { readonly title_en?: string };
  readonly current?: string;
}

const stateOf = ({ translations, deleted_at, draft_data }: Payload): State => ({
  title: translations.en.title,
  isTrashed: deleted_at !== null,
  isPublished: translations.en.published_at !== null,
  draft: draft_data.title_en ?? null,
});

/** The states of the page at its commits, oldest first. */
function versionsIn(site: GitSite): Version[] {
  const commits = site
    .git("log", "--reverse", "--format=%H%x09%an%x09%(trailers:key=Cms-Action,valueonly,separator=%x2c)")
    .trim()
    .split("\n");
  const names = commits.map((line) => line.split("\t") as [string, string, string]);
  const parts = [".yaml", ".draft.en.yaml"].map((part) => `content/pages/about${part}`);
  const input = names.flatMap(([commit]) => parts.map((path) => `${commit}:${path}\n`)).join("");
  const found = objectsIn(
    execFileSync("git", ["cat-file", "--batch"], { cwd: site.dir, env: GIT_ENV, input, maxBuffer: 64 << 20 }),
  );
  return names.map(([, author, action], at) => {
    const [page, draft] = found.slice(at * 2, at * 2 + 2);
    const data =
      page === undefined
        ? undefined
        : (parse(page) as { deleted_at?: string; translations: { en: { title: string; published_at?: string } } });
    const staged = draft === undefined ? undefined : (parse(draft) as { payload: { title_en: string } });
    const { title, published_at } = data ? data.translations.en : {};
    const state =
      title === undefined
        ? null
        : {
            title,
            isTrashed: data!.deleted_at !== undefined,
            isPublished: published_at !== undefined,
            draft: staged ? staged.payload.title_en : null,
          };
    return { state, files: `${page}\0${draft}`, author, action };
  });
}

/** What `git cat-file --batch` prints: a line about each object, then its bytes; undefined for a missing one. */
function objectsIn(printed: Buffer): (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (let at = 0; at < printed.length;) {
    const end = printed.indexOf("\n", at);
    const line = printed.toString("utf8", at, end);
    const size = line.endsWith(" missing") ? -1 : Number(line.split(" ").at(-1));
    texts.push(size < 0 ? undefined : printed.toString("utf8", end + 1, end + 1 + size));
    at = size < 0 ? end + 1 : end + size + 2;
  }
  return texts;
}

/** The answers with their commits; and the ETag of each commit's answer, by position. */
function explained(
  answers: readonly Answered[],
  versions: readonly Version[],
): { ops: Op[]; etags: (string | null | undefined)[] } {
  const etags: (string | null | undefined)[] = [];
  const same = (a: State | null, b: State | null): boolean => JSON.stringify(a) === JSON.stringify(b);
  const committed = new Map<Answered, number>();
  for (const client of new Set(answers.map((answer) => answer.client))) {
    const own = versions.flatMap(({ author }, at) => (author === client ? [at] : []));
    for (const answer of answers.filter((each) => each.client === client && each.status < 300)) {
      // A client sends its requests one after the other, so its commits are in the same order.
      const at = own[0];
      if (at === undefined || versions[at]!.action !== answer.action) continue;
      own.shift();
      committed.set(answer, at);
      etags[at] = answer.etag;
    }
    expect(own, `commits of ${client} that no answer explains`).toEqual([]);
  }
  const ops = answers.map((answer): Op => {
    const { client, action, status, start, end, etag, ifMatch, current } = answer;
    const at = committed.get(answer);
    const name = `${client}'s ${action} [${start}, ${end}] (${status})`;
    const fits = (position: number): boolean => {
      const { state } = versions[position]!;
      if (status === 404) return state === null;
      if (status === 412)
        return (
          state !== null &&
          ifMatch !== etags[position] &&
          (etags[position] === undefined || etags[position] === current)
        );
      const isRightVersion = status === 204 || etags[position] === undefined || etags[position] === etag;
      const wasOnVersion =
        ifMatch === undefined || at === undefined || etags[at - 1] === undefined || etags[at - 1] === ifMatch;
      return same(state, answer.state) && isRightVersion && wasOnVersion;
    };
    return { name, start, end, ...(at !== undefined && { at }), fits };
  });
  return { ops, etags };
}

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = Math.floor(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
