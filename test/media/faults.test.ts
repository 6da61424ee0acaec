/** A disk that is full, or fails, in the middle of an upload: refused, and nothing is left of it. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openGitRepo } from "../../src/store/git/repo.ts";
import { siteOver } from "../site.ts";
import { faultyFs } from "../store/git/faulty-fs.ts";
import { gitSite, quietEnv } from "../store/git/git-site.ts";
import { jpeg, mediaSite } from "./media-site.ts";

const SMALL = { MEDIA: { RENDITIONS: { VARIANTS: [{ name: "sm-webp", width: 40, format: "webp" as const }] } } };

function formOf(name: string, bytes: Uint8Array): { body: Uint8Array; headers: Record<string, string> } {
  const body = Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    bytes,
    Buffer.from("\r\n--b--\r\n"),
  ]);
  return { body, headers: { "content-type": "multipart/form-data; boundary=b" } };
}

it(
  "at any step of the commit, it is there with everything or not at all, and the next upload works",
  { timeout: 60_000 },
  async () => {
    const disk = gitSite({ "content/pages/.gitkeep": "" });
    onTestFinished(() => disk.remove());
    const faulty = faultyFs();
    const site = await siteOver(
      await openGitRepo(disk.dir, { env: quietEnv(), fs: faulty.fs, lockWaitMs: 30 }),
      disk.dir,
      SMALL,
    );
    const bytes = await jpeg(60, 40);
    const send = (name: string) => site.ask("POST", "api:media", { as: "staff", ...formOf(name, bytes) });
    expect((await send("first.jpg")).status).toBe(201);
    let refused = 0;
    for (let call = 1; ; call += 9) {
      const calls = faulty.calls();
      faulty.failAt(call, { kind: "error", code: "ENOSPC", lasts: true });
      const { status } = await send(`n${call}.jpg`);
      const isReached = faulty.calls() - calls >= call;
      faulty.heal();
      refused += status === 503 ? 1 : 0;
      expect([call, [201, 503].includes(status)]).toEqual([call, true]);
      // What was acknowledged is there; what was refused may be there as a whole, when the disk failed after the deed.
      expect((await send(`after-${call}.jpg`)).status).toBe(201);
      const committed = disk
        .git("ls-files")
        .split("\n")
        .filter((path) => path.includes(`/n${call}`));
      expect([call, committed.length]).toEqual([
        call,
        status === 201 ? 4 : expect.toSatisfy((count: number) => count === 0 || count === 4),
      ]);
      expect([call, disk.complaints(), readdirSync(join(disk.dir, ".git/cms/uploads"))]).toEqual([call, "", []]);
      if (!isReached) break;
    }
    expect(refused).toBeGreaterThan(0);
  },
);

it("a full disk in the folder of uploads is 503", async () => {
  const site = await mediaSite(SMALL);
  const folder = join(site.disk.dir, ".git/cms/uploads");
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, "in the way");
  const answer = await site.form("POST", "api:media", { file: ["a.txt", Buffer.from("x")] });
  expect([answer.status, answer.body.detail, answer.headers.get("retry-after")]).toEqual([
    503,
    "The file could not be stored. A file stands where a folder is expected (ENOTDIR).",
    "10",
  ]);
  rmSync(folder);
  expect((await site.form("POST", "api:media", { file: ["a.txt", Buffer.from("x")] })).status).toBe(201);
});

it("an upload that is aborted by the client leaves no files", async () => {
  const site = await mediaSite(SMALL);
  const { body, headers } = formOf("a.bin", Buffer.alloc(100_000));
  const cut = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(body.subarray(0, 50_000));
      controller.error(new Error("The connection was reset"));
    },
  });
  const answer = await site.ask("POST", "api:media", { as: "staff", body: cut, headers });
  expect(answer.status).toBe(400);
  expect([site.files(), site.leftovers(), site.logged, existsSync(join(site.disk.dir, "media"))]).toEqual([
    [],
    "",
    [],
    false,
  ]);
});

it("an encoder that cannot be used fails the upload as a whole", async () => {
  const site = await mediaSite(SMALL);
  await site.cms.images.close();
  const answer = await site.form("POST", "api:media", { file: ["a.jpg", await jpeg(60, 40)] });
  expect([answer.status, site.files(), site.leftovers()]).toEqual([500, [], ""]);
});
