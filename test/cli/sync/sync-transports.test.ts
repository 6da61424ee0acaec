/** `cms serve --sync` with a remote over each of git's ways: files, `git daemon`, HTTP; and with Git LFS. */
import { createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parsePointer } from "../../../src/store/git/lfs/pointer.ts";
import { bareRemote, type Remotes } from "../../store/sync/clones.ts";
import { gitDaemon, gitHttp } from "../../support/git-servers.ts";
import { HAS_GIT_LFS } from "../../support/git-lfs.ts";
import { eventually, PAGE, serve, tokenFor, type Server } from "../process.ts";

const HOME = "content/pages/home.yaml";
const SECRET = "a secret of a test";
const FILES = {
  "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\nSYNC: { SECRET: env:CMS_SYNC_SECRET }\n",
  [HOME]: PAGE(1, "Home"),
};
const PATIENCE = 60_000;

const TRANSPORTS: readonly [string, (remote: Remotes) => Promise<string>][] = [
  ["file", async ({ dir }) => `file://${dir}`],
  ["git daemon", async ({ dir }) => `${await gitDaemon(dirname(dir))}/${basename(dir)}`],
  ["http", async ({ dir }) => `${(await gitHttp(dirname(dir))).url}/${basename(dir)}`],
];

async function webhook(server: Server): Promise<number> {
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "X-Hub-Signature-256": signature };
  return (await fetch(`${server.url}api/cms/sync/`, { method: "POST", headers, body })).status;
}

const titleOf = async (server: Server): Promise<unknown> => (await server.ask("GET", "api/cms/pages/1/")).body.title;

async function twoClones(
  addressOf: (remote: Remotes) => Promise<string>,
  files: Readonly<Record<string, string>> = FILES,
) {
  const remote = bareRemote(files);
  const address = await addressOf(remote);
  const [a, b] = [remote.clone(), remote.clone()];
  for (const clone of [a, b]) clone.git("remote", "set-url", "origin", address);
  return { remote, a, b };
}

describe.each(TRANSPORTS)("over %s", (_name, addressOf) => {
  it("serves a push within the interval and at a webhook, and pushes a write", { timeout: 240_000 }, async () => {
    const { remote, a, b } = await twoClones(addressOf);
    const env = { CMS_SYNC_SECRET: SECRET };
    const token = await tokenFor(a.dir);
    for (const [every, title] of [
      ["1", "In time"],
      ["3600", "At once"],
    ] as const) {
      const server = await serve(a.dir, ["--sync", "--every", every], { token, env });
      await eventually(async () => (await server.ask("GET", "healthz")).body.sync.status === "ok", PATIENCE);
      await b.sync();
      b.save(HOME, PAGE(1, title));
      b.commit(title);
      // By the clone's own sync: the address is served by this process, which `execFileSync` would stop.
      expect(await b.sync()).toMatchObject({ pushed: 1 });
      if (every === "3600") expect(await webhook(server)).toBe(202);
      await eventually(async () => (await titleOf(server)) === title, PATIENCE);
      expect((await server.ask("POST", "api/cms/pages/", { title_en: "New" })).status).toBe(201);
      await eventually(async () => remote.git("rev-parse", "main").trim() === a.head(), PATIENCE);
      expect(await server.stop()).toBe(0);
    }
    expect(remote.git("fsck", "--strict", "--no-dangling")).toBe("");
  });
});

describe.skipIf(!HAS_GIT_LFS)("with Git LFS", () => {
  it("exchanges media with their objects, also with a replica", { timeout: 240_000 }, async () => {
    const attributes = "media/** filter=lfs diff=lfs merge=lfs -text\n";
    const { remote, a, b } = await twoClones(TRANSPORTS[0]![1], { ...FILES, ".gitattributes": attributes });
    const replica = remote.clone();
    b.git("lfs", "install", "--local");
    const env = { CMS_SYNC_SECRET: SECRET };
    const server = await serve(a.dir, ["--sync", "--every", "1"], { token: await tokenFor(a.dir), env });
    const reader = await serve(replica.dir, ["--read-only", "--sync", "--every", "1"], { env });
    b.save("media/by-hand.txt", "By hand\n");
    b.commit("By hand");
    b.git("push", "--quiet");
    for (const { url } of [server, reader])
      await eventually(async () => (await (await fetch(`${url}media/by-hand.txt`)).text()) === "By hand\n", PATIENCE);

    const form = new FormData();
    form.set("file", new Blob(["Uploaded\n"], { type: "text/plain" }), "uploaded.txt");
    const { headers, body } = new Request("http://localhost", { method: "POST", body: form });
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    expect(await server.post("api/cms/media/", headers.get("content-type")!, bytes)).toBe(201);
    await eventually(async () => remote.git("rev-parse", "main").trim() === a.head(), PATIENCE);
    const { sha256 } = parsePointer(Buffer.from(remote.git("show", "main:media/uploaded.txt")))!;
    const object = join(remote.dir, "lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    expect(existsSync(object) && readFileSync(object, "utf8")).toBe("Uploaded\n");
    await eventually(
      async () => (await (await fetch(`${reader.url}media/uploaded.txt`)).text()) === "Uploaded\n",
      PATIENCE,
    );
    expect(await server.stop()).toBe(0);
    expect(await reader.stop()).toBe(0);
    for (const clone of [a, replica]) expect(clone.git("status", "--porcelain")).toBe("");
  });
});
