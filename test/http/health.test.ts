/** `/healthz` of a repository that lost objects. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mediaSite } from "../media/media-site.ts";

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
});
