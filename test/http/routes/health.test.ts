/** `/healthz` of a repository that lost objects, and `/readyz`. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mediaSite } from "../../media/media-site.ts";
import { memorySite } from "../../site.ts";

it("is 503 when an object of the newest commit is missing and cannot be written again", async () => {
  const site = await mediaSite({}, {}, (disk) => {
    disk.save("notes.txt", "notes\n");
    disk.git("add", "notes.txt");
    disk.git("commit", "--quiet", "--message=Notes");
  });
  const oid = site.disk.git("rev-parse", "HEAD:notes.txt").trim();
  rmSync(join(site.disk.dir, ".git/objects", oid.slice(0, 2), oid.slice(2)));
  site.disk.save("notes.txt", "changed by hand\n");
  const { status, body } = await site.ask("GET", "/healthz");
  expect([status, body.status]).toEqual([503, "damaged"]);
  expect(body.advice).toContain("git fsck");
  expect(JSON.stringify(body)).not.toContain(oid);
  const ready = await site.ask("GET", "/readyz");
  expect([ready.status, ready.body.status]).toEqual([503, "damaged"]);
});

it("/readyz is 200 once the content is loaded, whatever the host, and never cached", async () => {
  const site = await memorySite({}, { ALLOWED_HOSTS: ["example.org"] });
  const { status, body, headers } = await site.ask("GET", "/readyz");
  expect([status, body]).toEqual([200, { status: "ready", commit: site.cms.store.current.commit }]);
  expect(headers.get("cache-control")).toBe("no-store");
});

it("/readyz?writes is 503 while writes are refused, when requests still are answered", async () => {
  const site = await mediaSite();
  expect((await site.ask("GET", "/readyz?writes")).status).toBe(200);
  site.disk.save(".git/MERGE_HEAD", `${site.disk.git("rev-parse", "HEAD").trim()}\n`);
  const { status, body } = await site.ask("GET", "/readyz?writes");
  expect([status, body.status]).toEqual([503, "read-only"]);
  expect(body.reason).toContain("merge");
  expect((await site.ask("GET", "/readyz")).status).toBe(200);
});
