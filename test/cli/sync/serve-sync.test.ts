/** `cms serve --sync`: servers and people on one bare remote. */
import { existsSync, renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bareRemote } from "../../store/sync/clones.ts";
import { cms, eventually, PAGE, serve, tokenFor } from "../process.ts";

const HOME = "content/pages/home.yaml";
const FILES = { "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n", [HOME]: PAGE(1, "Home") };
const RARELY = ["--sync", "--every", "3600"];

describe("a server that synchronises", () => {
  it("serves what is pushed by hand, pushes what is written, and tells its state", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const server = await serve(a.dir, ["--sync", "--every", "1"], { token: await tokenFor(a.dir) });
    b.save(HOME, PAGE(1, "Pushed"));
    const pushed = b.commit("By hand");
    b.git("push", "--quiet");
    await eventually(async () => (await server.ask("GET", "api/cms/pages/1/")).body.title === "Pushed");
    expect(a.head()).toBe(pushed);
    const written = await server.ask("POST", "api/cms/pages/", { title_en: "New" });
    expect(written.status).toBe(201);
    await eventually(async () => remote.git("rev-parse", "main").trim() === a.head());
    // The remote has a commit before the push that brought it has ended.
    await eventually(async () => (await server.ask("GET", "api/cms/sync/")).body.ahead === 0);
    expect(await server.ask("GET", "api/cms/sync/")).toMatchObject({
      status: 200,
      body: { remote: "origin/main", ahead: 0, behind: 0, last_error: null, failing_seconds: 0 },
    });
    expect((await server.ask("GET", "healthz")).body.sync).toMatchObject({ status: "ok", ahead: 0, behind: 0 });
    const last = await server.ask("POST", "api/cms/pages/", { title_en: "Last" });
    expect(last.status).toBe(201);
    expect(await server.stop()).toBe(0);
    expect(remote.git("rev-parse", "main").trim()).toBe(a.head());
    expect(a.git("log", "-1", "--format=%s", "main")).toContain("Last");
    await b.sync();
    expect(b.head()).toBe(a.head());
  });

  it("syncs when it is told to, goes on without its remote, and says since when", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const server = await serve(a.dir, RARELY, { token: await tokenFor(a.dir) });
    expect(await server.ask("POST", "api/cms/sync/")).toMatchObject({ status: 200, body: { outcome: "unchanged" } });
    b.save(HOME, PAGE(1, "Pushed"));
    b.commit("By hand");
    b.git("push", "--quiet");
    expect((await server.ask("POST", "api/cms/sync/")).body).toMatchObject({ outcome: "forwarded", pulled: 1 });
    expect((await server.ask("GET", "api/cms/pages/1/")).body.title).toBe("Pushed");
    renameSync(remote.dir, `${remote.dir}.away`);
    expect(await server.ask("POST", "api/cms/sync/")).toMatchObject({ status: 503 });
    expect((await server.ask("POST", "api/cms/pages/", { title_en: "New" })).status).toBe(201);
    const { body } = await server.ask("GET", "api/cms/sync/");
    expect(body).toMatchObject({ ahead: 1, behind: 0, last_error: { is_held: false } });
    expect(body.last_error.message).toMatch(/does not exist/);
    expect((await server.ask("GET", "healthz")).body).toMatchObject({ status: "ok", sync: { status: "failing" } });
    renameSync(`${remote.dir}.away`, remote.dir);
    expect((await server.ask("POST", "api/cms/sync/")).body).toMatchObject({ pushed: 1, last_error: null, ahead: 0 });
    expect(await server.stop()).toBe(0);
  });

  it("holds a remote that removes most pages until that is accepted", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const server = await serve(a.dir, RARELY, { token: await tokenFor(a.dir) });
    b.erase(HOME);
    b.commit("Remove");
    b.git("push", "--quiet");
    expect(await server.ask("POST", "api/cms/sync/", {})).toMatchObject({ status: 409 });
    expect((await server.ask("GET", "healthz")).body.sync).toMatchObject({ status: "held", behind: 1 });
    expect((await server.ask("GET", "api/cms/pages/1/")).status).toBe(200);
    expect((await server.ask("POST", "api/cms/sync/", { accept_deletions: "yes" })).status).toBe(400);
    expect((await server.ask("POST", "api/cms/sync/", { accept_deletions: true })).status).toBe(200);
    expect((await server.ask("GET", "api/cms/pages/1/")).status).toBe(404);
    expect(await server.stop()).toBe(0);
  });

  it("holds settings with which it would not start again", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const token = await tokenFor(a.dir);
    const server = await serve(a.dir, RARELY, { token });
    b.save("cms.config.yaml", "ROUTER_CACHE: soon\n");
    b.commit("Break");
    b.git("push", "--quiet");
    expect(await server.ask("POST", "api/cms/sync/")).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("ROUTER_CACHE: found") },
    });
    expect((await server.ask("GET", "healthz")).body.sync).toMatchObject({ status: "held", behind: 1 });
    expect(server.said()).toContain("the service would not start again");
    expect(await server.stop()).toBe(0);
    const again = await serve(a.dir, RARELY, { token });
    expect((await again.ask("GET", "api/cms/pages/1/")).status).toBe(200);
    expect(await again.stop()).toBe(0);
  });

  it("answers a sync that is stopped with it, instead of waiting for the remote", { timeout: 60_000 }, async () => {
    const a = bareRemote(FILES).clone();
    const server = await serve(a.dir, RARELY, { token: await tokenFor(a.dir) });
    expect((await server.ask("POST", "api/cms/sync/")).status).toBe(200);
    a.git("config", "remote.origin.uploadpack", `touch '${a.dir}/.git/asked'; sleep 600; git-upload-pack`);
    const asked = server.ask("POST", "api/cms/sync/");
    await eventually(async () => existsSync(`${a.dir}/.git/asked`));
    const stopped = server.stop();
    expect(await asked).toMatchObject({ status: 503, body: { detail: "`git fetch` was stopped." } });
    expect(await stopped).toBe(0);
  });

  it("is off without --sync", async () => {
    const a = bareRemote(FILES).clone();
    const server = await serve(a.dir, [], { token: await tokenFor(a.dir) });
    expect(await server.ask("GET", "api/cms/sync/")).toMatchObject({ status: 200, body: null });
    expect((await server.ask("POST", "api/cms/sync/")).status).toBe(404);
    expect((await server.ask("GET", "healthz")).body.sync).toBeUndefined();
    expect(await cms(["serve", "--root", a.dir, "--every", "5"])).toMatchObject({ code: 2 });
  });
});

describe("a replica", () => {
  it(
    "follows the remote beside other servers, also when it was rewritten, and takes no lock",
    { timeout: 60_000 },
    async () => {
      const remote = bareRemote(FILES);
      const [a, b] = [remote.clone(), remote.clone()];
      const token = await tokenFor(a.dir);
      const replica = await serve(a.dir, ["--read-only", "--sync", "--every", "1"], { token });
      const second = await serve(a.dir, ["--read-only"], { token });
      b.save(HOME, PAGE(1, "Pushed"));
      b.commit("By hand");
      b.git("push", "--quiet");
      for (const server of [replica, second])
        await eventually(async () => (await server.ask("GET", "api/cms/pages/1/")).body.title === "Pushed");
      b.save(HOME, PAGE(1, "Rewritten"));
      b.git("commit", "--quiet", "--all", "--amend", "--message=Again");
      b.git("push", "--quiet", "--force");
      await eventually(async () => (await replica.ask("GET", "api/cms/pages/1/")).body.title === "Rewritten");
      expect(a.head()).toBe(b.head());
      await eventually(async () => replica.said().includes("origin/main was rewritten"));
      expect((await replica.ask("POST", "api/cms/pages/", { title_en: "New" })).status).toBe(503);
      renameSync(remote.dir, `${remote.dir}.away`);
      await eventually(async () => (await replica.ask("GET", "healthz")).body.sync.status === "failing");
      expect((await replica.ask("GET", "api/cms/pages/1/")).body.title).toBe("Rewritten");
      expect(a.git("status", "--porcelain")).toBe("");
    },
  );
});
