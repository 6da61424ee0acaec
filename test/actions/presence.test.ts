import { expect, it } from "vitest";
import { EXPIRY_MS, openPresence } from "../../src/actions/accounts/presence.ts";
import { instantOf } from "../../src/model/time/instant.ts";

const START = Date.UTC(2026, 2, 1);

function clocked() {
  let at = START;
  const presence = openPresence(() => instantOf(at));
  return { ...presence, after: (ms: number) => void (at += ms) };
}

it("tells each account of the others at the same page, first come first", () => {
  const { enter, leave, after } = clocked();
  expect(enter(12, 1, "en")).toEqual([]);
  after(1_000);
  expect(enter(12, 2, "it")).toMatchObject([{ account: 1, lang: "en", since: instantOf(START) }]);
  after(1_000);
  expect(enter(12, 3, "en").map(({ account }) => account)).toEqual([1, 2]);
  expect(enter(13, 3, "en")).toEqual([]);
  leave(12, 1);
  expect(enter(12, 3, "en").map(({ account }) => account)).toEqual([2]);
});

it("forgets an account that has not told it again, and keeps since when it is there", () => {
  const { enter, after } = clocked();
  enter(12, 1, "en");
  after(EXPIRY_MS - 1);
  enter(12, 1, "it");
  after(EXPIRY_MS - 1);
  expect(enter(12, 2, "en")).toMatchObject([{ account: 1, lang: "it", since: instantOf(START) }]);
  after(1);
  expect(enter(12, 2, "en")).toEqual([]);
});

it("keeps the pages that an account opened last", () => {
  const { enter } = clocked();
  for (let page = 1; page <= 21; page++) enter(page, 1, "en");
  expect(enter(1, 2, "en")).toEqual([]);
  expect(enter(2, 2, "en")).toMatchObject([{ account: 1 }]);
});
