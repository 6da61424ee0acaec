/** Whose a lock is, and what of its owner can be told from here. */
import { linkSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskFs } from "../../../src/store/git/fs.ts";
import { HEARTBEAT_MS, isAlive, HEARTBEAT_TIMEOUT_MS } from "../../../src/store/git/locks/heartbeat.ts";
import { describeOwner, parseOwner, ownerScope, thisOwner, type Owner } from "../../../src/store/git/locks/owner.ts";

const SELF: Owner = {
  pid: 1,
  start: "77",
  boot: "b1",
  ns: "pid:[1]",
  host: "alpha",
  place: { path: "/srv/site/.git", ino: "5" },
};
const MOVED = { path: "/mnt/site/.git", ino: "5" };
const COPIED = { path: "/mnt/copy/.git", ino: "6" };
const OVER_IT = { path: "/srv/site/.git", ino: "6" };

describe("ownerScope", () => {
  it.each<[who: string, owner: Partial<Owner>, standing: ReturnType<typeof ownerScope>]>([
    ["a process beside this one", { pid: 2 }, "here"],
    ["a process of this namespace, before the host got its name", { host: "beta" }, "here"],
    ["a process in another container of this machine", { ns: "pid:[2]" }, "elsewhere"],
    ["one in another container with a host name of its own", { ns: "pid:[2]", host: "beta" }, "elsewhere"],
    ["one on another machine", { boot: "b2", host: "beta" }, "elsewhere"],
    [
      "one on another machine whose namespace has the same number",
      { boot: "b2", ns: "pid:[1]", host: "beta" },
      "elsewhere",
    ],
    ["one before this host was started again", { boot: "b0" }, "ended"],
    ["one whose note came with a copy of the site", { place: COPIED }, "ended"],
    ["one in another container, of a copy", { ns: "pid:[2]", place: COPIED }, "ended"],
    ["one to which this volume has another path", { ns: "pid:[2]", place: MOVED }, "elsewhere"],
    ["one whose site was put back from a backup", { place: OVER_IT }, "here"],
    ["one of an earlier version", { ns: null, host: null, place: null }, "here"],
    [
      "one of an earlier version, before a start of the machine",
      { boot: "b0", ns: null, host: null, place: null },
      "ended",
    ],
  ])("%s", (_who, owner, standing) => {
    expect(ownerScope({ ...SELF, ...owner }, SELF)).toBe(standing);
  });

  it("goes by the host's name where the system has neither boot ids nor namespaces", () => {
    const self = { ...SELF, boot: null, ns: null };
    expect(ownerScope({ ...self, pid: 2 }, self)).toBe("here");
    expect(ownerScope({ ...self, host: "beta" }, self)).toBe("elsewhere");
  });
});

describe("parseOwner", () => {
  it("reads back what was written", () => {
    expect(parseOwner(JSON.stringify(SELF))).toEqual(SELF);
  });

  it("knows the notes of earlier versions", () => {
    expect(parseOwner('{"pid": 1, "start": "77", "boot": "b1"}')).toEqual({
      ...SELF,
      ns: null,
      host: null,
      place: null,
    });
  });

  it.each([
    "",
    "{",
    "[]",
    "null",
    '{"pid": "1"}',
    '{"pid": 1, "start": 7, "boot": "b"}',
    '{"pid": 1, "start": "7", "boot": "b", "host": 5}',
  ])("takes %j for none", (text) => {
    expect(parseOwner(text)).toBeUndefined();
  });
});

it("names an owner so that a person finds it, and a host name cannot steer the terminal", () => {
  const self = thisOwner(tmpdir());
  expect(describeOwner({ ...self, pid: 17 })).toBe("process 17");
  expect(describeOwner({ ...self, pid: 17, ns: "pid:[2]" })).toBe("process 17 of another container on this host");
  expect(describeOwner({ ...self, pid: 17, host: "web\u001b[2J" })).toBe("process 17 on host web??2J");
});

describe("isAlive", () => {
  let dir: string;
  let note: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "cms-owner-"));
    note = join(dir, "owner");
    writeFileSync(note, "note");
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const silentFor = (ms: number): void => utimesSync(note, new Date(Date.now() - ms), new Date(Date.now() - ms));
  const elsewhere = (): Owner => ({ ...thisOwner(dir), ns: "pid:[2]" });

  it("asks the process table of one that is here, however silent it is", async () => {
    silentFor(10 * HEARTBEAT_TIMEOUT_MS);
    expect(await isAlive(diskFs, thisOwner(dir), note, dir)).toBe(true);
    expect(await isAlive(diskFs, { ...thisOwner(dir), start: "1" }, note, dir)).toBe(false);
  });

  it("believes the heartbeat of one that is elsewhere, though a process here has its number", async () => {
    silentFor(HEARTBEAT_TIMEOUT_MS - HEARTBEAT_MS);
    expect(await isAlive(diskFs, elsewhere(), note, dir)).toBe(true);
    silentFor(HEARTBEAT_TIMEOUT_MS + 1_000);
    expect(await isAlive(diskFs, elsewhere(), note, dir)).toBe(false);
  });

  it("sees the heartbeat of the note in a lock that is a link to it", async () => {
    linkSync(note, join(dir, "lock"));
    silentFor(HEARTBEAT_TIMEOUT_MS + 1_000);
    expect(await isAlive(diskFs, elsewhere(), join(dir, "lock"), dir)).toBe(false);
    await diskFs.refresh(note);
    expect(await isAlive(diskFs, elsewhere(), join(dir, "lock"), dir)).toBe(true);
  });
});
