/** The service over HTTP on a real repository, with concurrent `git` commands and kills. */
import { execFile, execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script, which has no types
import { differences, removeCaches, shownBy } from "../../scripts/soak/restart.mjs";
import { GIT_ENV } from "../store/git/git-site.ts";
import { serve, site, tokenFor, type Server } from "../cli/process.ts";

const run = promisify(execFile);

/** Rounds of writing and killing. */
const KILLS = 30;
/** In milliseconds; no round starts later, so that the test stays within its timeout. */
const KILLS_TIME = 60_000;

describe("a server under load", () => {
  it("commits fifty concurrent creates one by one", async () => {
    const { dir, git, complaints } = site();
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => server.ask("POST", "api/cms/pages/", { title: `Page ${n}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(50);
    expect(git("rev-list", "--count", "HEAD")).toBe("51\n");
    const trailers = git("log", "--format=%(trailers:key=Cms-Page,valueonly)", "HEAD~50..HEAD")
      .split("\n")
      .filter(Boolean);
    expect(new Set(trailers)).toEqual(new Set(answers.map(({ body }) => String(body.id))));
    expect(complaints()).toBe("");
    expect(await server.stop()).toBe(0);
    expect(complaints()).toBe("");
  });

  it("loses no write to concurrent native commits, nor they to it", { timeout: 40_000 }, async () => {
    const { dir, git, save, complaints } = site();
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    const [byHand, byApi]: [string[], string[]] = [[], []];
    const until = Date.now() + 5_000;
    const person = async (): Promise<void> => {
      for (let n = 0; Date.now() < until; n++) {
        const path = `content/pages/hand-${n}.yaml`;
        save(path, `id: ${100_000 + n}\ndate_created: 2026-01-02T00:00:00.000Z\n`);
        // If the lock is taken, git reports it and a person tries again.
        for (let done = false; !done;) {
          done = await run("git", ["add", path], { cwd: dir, env: GIT_ENV }).then(
            () => true,
            () => false,
          );
        }
        for (let done = false; !done;) {
          done = await run("git", ["commit", "--quiet", `--message=By hand ${n}`, "--", path], {
            cwd: dir,
            env: GIT_ENV,
          }).then(
            () => true,
            () => false,
          );
        }
        byHand.push(`By hand ${n}`);
        await pause(20);
      }
    };
    const editor = async (): Promise<void> => {
      for (let n = 0; Date.now() < until; n++) {
        const { status, body } = await server.ask("PATCH", "api/cms/pages/12/", { title_en: `Title ${n}` });
        expect([status, body.title]).toEqual([200, `Title ${n}`]);
        byApi.push(`Title ${n}`);
        await pause(20);
      }
    };
    await Promise.all([person(), editor()]);
    const subjects = git("log", "--first-parent", "--format=%s").split("\n");
    expect(subjects.filter((line) => line.startsWith("By hand")).toReversed()).toEqual(byHand);
    expect(subjects.filter((line) => line.includes("Title ")).length).toBe(byApi.length);
    expect(byHand.length).toBeGreaterThan(5);
    expect(byApi.length).toBeGreaterThan(5);
    expect(await server.stop()).toBe(0);
    expect(complaints()).toBe("");
    expect(git("show", "HEAD:content/pages/about.yaml")).toContain(byApi.at(-1)!);
  });

  it("completes running writes when it is stopped", async () => {
    const { dir, git, complaints } = site();
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    const writes = Array.from({ length: 20 }, (_, n) =>
      server.ask("POST", "api/cms/pages/", { title: `Page ${n}` }).catch(() => undefined),
    );
    await writes[0];
    const code = await server.stop("SIGINT");
    const made = (await Promise.all(writes)).filter((answer) => answer?.status === 201);
    expect(code).toBe(0);
    expect(made.length).toBeGreaterThan(0);
    expect(Number(git("rev-list", "--count", "HEAD"))).toBeGreaterThanOrEqual(1 + made.length);
    expect(complaints()).toBe("");
  });
});

describe("a server that is killed", () => {
  it(
    "has kept every write it acknowledged, and leaves a sound repository",
    { timeout: KILLS_TIME + 40_000 },
    async () => {
      const { dir, git, complaints } = site();
      const token = await tokenFor(dir);
      /** The possible titles of each page: the last acknowledged one, and those sent later without an answer. */
      const titles = new Map<number, string[]>([[12, ["About"]]]);
      let acknowledged = 0;
      let rounds = 0;
      const deadline = Date.now() + KILLS_TIME;
      for (; rounds < KILLS && Date.now() < deadline; rounds++) {
        const server = await serve(dir, [], { token });
        expect(complaints()).toBe("");
        await holds(server, titles);
        let writing: Promise<number>[] = [];
        const first = new Promise<void>((resolve) => {
          writing = [0, 1, 2].map((writer) => write(server, titles, `${rounds}-${writer}`, resolve));
        });
        // Every second round is killed once there is something to lose, however busy the machine is.
        if (rounds % 2 === 0) await Promise.race([first, ...writing]);
        await pause(5 + Math.random() * 250);
        expect(await server.stop("SIGKILL")).toBeNull();
        for (const count of await Promise.all(writing)) acknowledged += count;
        // Nothing is corrupt even before the next start recovers.
        execFileSync("git", ["fsck", "--full", "--strict", "--no-dangling"], { cwd: dir, env: GIT_ENV, stdio: "pipe" });
      }
      const server = await serve(dir, [], { token });
      await holds(server, titles);
      const shown = await shownBy(server.url, token);
      expect(await server.stop()).toBe(0);
      removeCaches(dir);
      const again = await serve(dir, [], { token });
      expect(differences(shown, await shownBy(again.url, token), "After a restart without caches")).toEqual([]);
      expect(await again.stop()).toBe(0);
      expect(complaints()).toBe("");
      expect(Number(git("rev-list", "--count", "HEAD"))).toBeGreaterThanOrEqual(acknowledged);
      expect(acknowledged).toBeGreaterThan(rounds / 3);
      expect(rounds).toBeGreaterThanOrEqual(KILLS / 2);
    },
  );

  /** Writes until the server has ended. @returns the number of acknowledged writes */
  async function write(
    server: Server,
    titles: Map<number, string[]>,
    name: string,
    onAcknowledged: () => void,
  ): Promise<number> {
    for (let count = 0, page = 12; ; count++) {
      const title = `T${name}-${count}`;
      try {
        if (count % 3 === 0) {
          const { status, body } = await server.ask("POST", "api/cms/pages/", { title_en: title });
          expect(status).toBe(201);
          page = body.id;
          titles.set(page, [title]);
        } else {
          titles.get(page)!.push(title);
          const { status } = await server.ask("PATCH", `api/cms/pages/${page}/`, { title_en: title });
          expect(status).toBe(200);
          titles.set(page, [title]);
        }
        onAcknowledged();
      } catch (error) {
        if (error instanceof TypeError) return count; // the connection broke
        throw error;
      }
    }
  }

  async function holds(server: Server, titles: Map<number, string[]>): Promise<void> {
    const { body } = await server.ask("GET", "api/cms/pages/");
    const now = new Map<number, string>(body.map((page: { id: number; title: string }) => [page.id, page.title]));
    for (const [id, possible] of titles) {
      expect(possible).toContain(now.get(id));
      titles.set(id, [now.get(id)!]);
    }
  }
});
