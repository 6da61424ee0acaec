/** Packs of ours, as git and our own reader see them. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newObject, oidOf, type NewObject } from "../../../src/store/git/objects/object.ts";
import { applyDelta, deltaOf } from "../../../src/store/git/objects/pack-delta.ts";
import { encodePack } from "../../../src/store/git/objects/pack-writer.ts";
import { openPacks } from "../../../src/store/git/objects/packs.ts";
import { GIT_ENV, gitSite, type GitSite } from "./git-site.ts";

let site: GitSite;
beforeEach(() => {
  site = gitSite({ "content/home.yaml": "n: 0\n" });
});
afterEach(() => site.remove());

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

it("a delta gives its target", () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, bytes, (start, before, after, end) => {
      const [base, target] = [Buffer.concat([start, before, end]), Buffer.concat([start, after, end])];
      expect(applyDelta(base, deltaOf(base, target))).toEqual(target);
    }),
  );
});

it("git and we read every object of a pack, of any size", async () => {
  const sizes = [0, 1, 15, 16, 17, 2_047, 2_048, 2_049, 70_000, 300_000];
  const blobs = sizes.map((size) => newObject("blob", Buffer.alloc(size, `${size} `)));
  // A chain of versions longer than git's limit of deltas, far enough apart for long distances.
  const versions: NewObject[] = [];
  for (let n = 0; n < 120; n++) {
    const lines = Array.from({ length: 300 }, (_, line) => (line === n ? `changed ${n}\n` : `line ${line}\n`));
    versions.push({ ...newObject("blob", Buffer.from(lines.join(""))), basedOn: versions.at(-1)?.oid });
  }
  const objects = [...blobs, ...versions];
  const { id, pack, index } = await encodePack(objects);
  const path = join(site.dir, `.git/objects/pack/pack-${id}`);
  writeFileSync(`${path}.pack`, Buffer.concat(pack));
  writeFileSync(`${path}.idx`, index);
  site.git("verify-pack", `${path}.idx`);
  // Git's own index of the same pack is the same, byte for byte.
  const own = join(site.dir, "own.idx");
  execFileSync("git", ["index-pack", "--strict", "-o", own, `${path}.pack`], { cwd: site.dir, env: GIT_ENV });
  expect(execFileSync("cmp", [own, `${path}.idx`]).toString()).toBe("");
  expect(Buffer.concat(pack).length).toBeLessThan(40_000);
  const packs = openPacks(join(site.dir, ".git"));
  for (const { oid, content } of objects) {
    const found = await packs.read(oid);
    expect(found && oidOf(found.type, found.content)).toBe(oid);
    expect(site.git("cat-file", "-s", oid).trim()).toBe(String(content.length));
  }
  packs.close();
});
