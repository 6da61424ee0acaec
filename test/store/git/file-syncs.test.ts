import { expect, it } from "vitest";
import { openFileSyncs } from "../../../src/store/git/ahead/file-syncs.ts";

/** @param times what each sync in place takes, in milliseconds; the last one for all others */
function syncsOf(...times: number[]) {
  let clock = 0;
  const made: string[] = [];
  const sync = openFileSyncs({
    now: () => clock,
    inPlace(file) {
      clock += times[made.length] ?? times.at(-1)!;
      made.push(`place ${file}`);
    },
    inPool: async (file) => void made.push(`pool ${file}`),
  });
  return { made, sync };
}

it("stay in the thread where they take no time", async () => {
  const { made, sync } = syncsOf(0.002);
  for (let file = 0; file < 100; file++) await sync(file);
  expect(made).toEqual(Array.from({ length: 100 }, (_, file) => `place ${file}`));
});

it("go to the thread pool after the first one that waits for a disk", async () => {
  const { made, sync } = syncsOf(4);
  for (let file = 0; file < 4; file++) await sync(file);
  expect(made).toEqual(["place 0", "pool 1", "pool 2", "pool 3"]);
});

it("stay in the thread after one that was interrupted, and leave it where the disk gets slow", async () => {
  const { made, sync } = syncsOf(0.002, 0.7, 0.002, 0.002, 3);
  for (let file = 0; file < 7; file++) await sync(file);
  expect(made).toEqual(["place 0", "place 1", "place 2", "place 3", "place 4", "pool 5", "pool 6"]);
});

it("fail with the error of the disk", async () => {
  const broken = Object.assign(new Error("EIO"), { code: "EIO" });
  const sync = openFileSyncs({
    now: () => 0,
    inPlace() {
      throw broken;
    },
    inPool: () => Promise.reject(broken),
  });
  await expect(sync(1)).rejects.toBe(broken);
});
