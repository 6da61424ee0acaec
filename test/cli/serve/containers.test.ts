/** A server and commands in different pid namespaces, as in containers that share a volume: real processes, real files. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HEARTBEAT_TIMEOUT_MS } from "../../../src/store/git/locks/heartbeat.ts";
import { cms, eventually, IN_CONTAINER, PAGE, serve, site, tokenFor, type Server } from "../process.ts";

const [unshare = "", ...flags] = IN_CONTAINER;
const isPossible = spawnSync(unshare, [...flags, "true"]).status === 0;
if (!isPossible)
  process.stderr.write(
    "containers.test.ts is skipped: pid namespaces cannot be made here (`unshare --pid` needs root).\n",
  );

const within = IN_CONTAINER;
const DUE = PAGE(14, "Due");
const DRAFT = "scheduled_for: 2026-01-03T00:00:00Z\npayload:\n  title: Due now\n";

/** Keeps writing until told to stop. @returns the ids of what was acknowledged */
function writing(server: Server): { stop(): Promise<{ ids: number[]; failures: string[] }> } {
  let isOver = false;
  const ids: number[] = [];
  const failures: string[] = [];
  const work = (async () => {
    while (!isOver) {
      const answer = await server.ask("POST", "api/cms/pages/", { title: `Page ${ids.length}` });
      if (answer.status === 201) ids.push(answer.body.id);
      else failures.push(`${answer.status} ${answer.body.detail}`);
    }
  })();
  work.catch(() => undefined); // awaited by `stop`; a server that is killed takes the last request with it
  return {
    async stop() {
      isOver = true;
      await work;
      return { ids, failures };
    },
  };
}

/** Makes what a process elsewhere left look as if it had given no sign of life for long, so that no test has to wait. */
function silence(dir: string): void {
  const long = new Date(Date.now() - HEARTBEAT_TIMEOUT_MS - 1_000);
  const run = join(dir, ".git/cms/run");
  for (const path of [join(dir, ".git/cms/server.lock"), ...readdirSync(run).map((name) => join(run, name, "owner"))])
    utimesSync(path, long, long);
}

describe.skipIf(!isPossible)("a server in a container", { timeout: 120_000 }, () => {
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ["check", ["check"]],
    ["manifest", ["manifest"]],
    ["build", ["build", "--quiet"]],
    ["user add", ["user", "add", "anna", "--password", "open sesame two"]],
    ["publish-scheduled", ["publish-scheduled"]],
    ["regenerate-renditions", ["regenerate-renditions"]],
  ];

  it("goes on acknowledging writes, all of them durable, while commands run in another", async () => {
    const { dir, git } = site({ "content/pages/due.yaml": DUE, "content/pages/due.draft.en.yaml": DRAFT });
    const server = await serve(dir, [], { token: await tokenFor(dir), within });
    const writer = writing(server);
    for (const [name, args] of commands) {
      const ended = await cms([...args, "--root", dir], { within, timeoutMs: 60_000 });
      expect([name, ended.code, ended.err]).toEqual([name, 0, expect.not.stringContaining("error")]);
    }
    const { ids, failures } = await writer.stop();
    expect(failures).toEqual([]);
    expect(ids.length).toBeGreaterThan(0);
    await server.stop("SIGKILL");
    const committed = git("grep", "-h", "^id: ", "HEAD", "--", "content/pages").split("\n");
    expect(ids.filter((id) => !committed.includes(`id: ${id}`))).toEqual([]);
    expect(git("fsck", "--strict", "--no-dangling")).toBe("");
    expect(git("show", "HEAD:content/pages/due.yaml")).toContain("title: Due now");
  });

  it("refuses a second one in another, which says who holds the site", async () => {
    const { dir } = site();
    const first = await serve(dir, [], { within });
    const second = await cms(["serve", "--root", dir, "--port", "0"], { within, timeoutMs: 60_000 });
    expect(second).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /error: Process 1 of another container on this host serves this site already: stop it first/,
      ),
    });
    expect(await cms(["serve", "--root", dir, "--port", "0"], { timeoutMs: 60_000 })).toMatchObject({ code: 1 });
    expect((await first.ask("GET", "healthz")).body.status).toBe("ok");
  });

  it("lets --read-only run beside it in another", async () => {
    const { dir } = site();
    const writer = await serve(dir, [], { token: await tokenFor(dir), within });
    const reader = await serve(dir, ["--read-only"], { within });
    expect(
      (
        await writer.ask("PATCH", "api/cms/pages/12/", {
          title_en: "Anew",
          autopermalink_en: false,
          permalink_en: "/about",
        })
      ).status,
    ).toBe(200);
    await eventually(async () => (await reader.ask("GET", "about/")).body === "<h1>Anew</h1>");
  });

  it("is followed by one in another after a kill, which finishes what it left", async () => {
    const { dir, git } = site();
    const token = await tokenFor(dir);
    const first = await serve(dir, [], { token, within });
    const writer = writing(first);
    await eventually(async () => Number(git("rev-list", "--count", "HEAD")) > 3);
    await first.stop("SIGKILL");
    await writer.stop().catch(() => undefined); // the last request found nobody
    silence(dir);
    const second = await serve(dir, [], { token, within });
    expect((await second.ask("POST", "api/cms/pages/", { title: "After" })).status).toBe(201);
    expect(readdirSync(join(dir, ".git/cms/run"))).toHaveLength(1);
    await second.stop("SIGKILL");
    expect(git("status", "--porcelain", "content")).toBe("");
  });

  it("that stood still while another took over refuses to write when it goes on", async () => {
    const { dir, git } = site();
    const token = await tokenFor(dir);
    const first = await serve(dir, [], { token, within });
    expect((await first.ask("POST", "api/cms/pages/", { title: "Before" })).status).toBe(201);
    // The first process of the namespace, a child of the program that made it.
    const pid = Number(readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, "utf8"));
    process.kill(pid, "SIGSTOP");
    silence(dir);
    const second = await serve(dir, [], { token, within });
    expect((await second.ask("POST", "api/cms/pages/", { title: "Meanwhile" })).status).toBe(201);
    process.kill(pid, "SIGCONT");
    const answer = await first.ask("POST", "api/cms/pages/", { title: "After" });
    expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining("another server has taken it")]);
    expect((await first.ask("GET", "healthz")).body.status).toBe("read-only");
    expect((await second.ask("POST", "api/cms/pages/", { title: "Still" })).status).toBe(201);
    expect(git("log", "--format=%s")).toMatch(/Still[^]*Meanwhile[^]*Before/);
    expect(git("status", "--porcelain", "content")).toBe("");
  });

  it("goes on writing when its scratch folder is removed", async () => {
    const { dir, git } = site();
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    for (let n = 0; n < 3; n++) {
      expect((await server.ask("POST", "api/cms/pages/", { title: `Page ${n}` })).status).toBe(201);
      rmSync(join(dir, ".git/cms/run"), { recursive: true });
    }
    expect((await server.ask("GET", "healthz")).body.status).toBe("ok");
    expect(git("status", "--porcelain", "content")).toBe("");
  });
});

describe.skipIf(!isPossible)("with nothing made to look older than it is", { timeout: 120_000 }, () => {
  it("a killed server's site is taken over once it has given no sign of life for long enough", async () => {
    const { dir } = site();
    const first = await serve(dir, [], { within });
    await first.stop("SIGKILL");
    const second = await serve(dir, [], { within });
    expect(second.said()).toMatch(
      /The server lock names process 1 of another container on this host: if it is not refreshed within \d+ s/,
    );
    expect((await second.ask("GET", "healthz")).body.status).toBe("ok");
  });
});
