import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { oidOf } from "../../../src/store/git/objects/object.ts";
import { openPacks, type Packs } from "../../../src/store/git/objects/packs.ts";
import { gitSite, type GitSite } from "./git-site.ts";

let site: GitSite;
let packs: Packs;
beforeEach(() => {
  site = gitSite({ "content/long.yaml": textOf(0), "media/zeros.bin": "\0".repeat(400_000) });
  for (let n = 1; n < 12; n++) {
    site.save("content/long.yaml", textOf(n));
    site.git("commit", "--quiet", "--all", `--message=Version ${n}`);
  }
  site.git("tag", "--annotate", "v1", "--message=One");
});
afterEach(() => {
  packs.close();
  site.remove();
});

/** Versions that differ here and there, so that a pack holds them as deltas of deltas. */
function textOf(version: number): string {
  const lines = Array.from({ length: 300 }, (_, line) => (line % 12 === version ? `version ${version}` : "as ever"));
  return lines.map((text, line) => `line ${line}: ${text}\n`).join("");
}

const allOids = () => site.git("rev-list", "--all", "--objects", "--no-object-names").split("\n").filter(Boolean);

it.each([
  ["deltas by offset", "true"],
  ["deltas by id", "false"],
])("reads every object of a pack with %s", async (_what, byOffset) => {
  const oids = allOids();
  site.git("config", "repack.useDeltaBaseOffset", byOffset);
  site.git("repack", "-a", "-d", "-f", "--depth=50", "--window=50", "--quiet");
  packs = openPacks(join(site.dir, ".git"));
  for (const oid of oids) {
    const { type, content } = (await packs.read(oid))!;
    expect(oidOf(type, content)).toBe(oid);
  }
  expect(oids.length).toBeGreaterThan(40);
  expect(await packs.read("0".repeat(40))).toBeUndefined();
  expect(await packs.read("f".repeat(40))).toBeUndefined();
});

it.each([0, 20_000])("reads every object of several packs with room for %i bytes of delta bases", async (room) => {
  const oids = allOids();
  for (const half of [oids.filter((_, n) => n % 2 === 0), oids.filter((_, n) => n % 2 === 1)])
    execFileSync("git", ["pack-objects", "--quiet", "--delta-base-offset", ".git/objects/pack/pack"], {
      cwd: site.dir,
      input: half.join("\n"),
    });
  packs = openPacks(join(site.dir, ".git"), room);
  for (const round of [oids, oids.toReversed(), oids])
    for (const oid of round) {
      const { type, content } = (await packs.read(oid))!;
      expect(oidOf(type, content)).toBe(oid);
    }
});

it("finds ids by their beginning, as git does", () => {
  site.git("repack", "-a", "-d", "--quiet");
  packs = openPacks(join(site.dir, ".git"));
  const oids = allOids();
  for (const oid of oids) {
    const prefix = oid.slice(0, 4);
    expect(packs.startingWith(prefix).sort()).toEqual(oids.filter((id) => id.startsWith(prefix)).sort());
  }
  expect(packs.startingWith("ffff0000ffff")).toEqual([]);
});

it("sees packs come and go", async () => {
  packs = openPacks(join(site.dir, ".git"));
  const [oid] = allOids();
  expect(await packs.read(oid!)).toBeUndefined();
  site.git("repack", "-a", "-d", "--quiet");
  expect(await packs.read(oid!)).toBeDefined();
  site.save("content/more.yaml", "more\n");
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message=More");
  site.git("repack", "-a", "-d", "--quiet");
  expect(await packs.read(site.git("rev-parse", "HEAD").trim())).toBeDefined();
  expect(await packs.read(oid!)).toBeDefined();
});

it("looks for objects that are in no pack without reading the indexes again", () => {
  site.git("repack", "-a", "-d", "--quiet");
  const folder = join(site.dir, ".git/objects/pack");
  packs = openPacks(join(site.dir, ".git"));
  const [oid] = allOids();
  expect(packs.has(oid!)).toBe(true);
  const index = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".idx"))!,
  );
  rmSync(index);
  writeFileSync(index, "another index would be read, and this is none");
  for (let n = 0; n < 3; n++) {
    packs.relist();
    expect(packs.has("0".repeat(40))).toBe(false);
  }
  expect(packs.has(oid!)).toBe(true);
});
