import { expect, it, vi } from "vitest";
import { derived } from "../src/memo.ts";

it("computes once for each object, also where the result is undefined", () => {
  const make = vi.fn((source: { readonly n: number }) => (source.n > 0 ? [source.n] : undefined));
  const get = derived(make);
  const [one, other, none] = [{ n: 1 }, { n: 1 }, { n: 0 }];
  expect(get(one)).toBe(get(one));
  expect(get(other)).toEqual([1]);
  expect(get(other)).not.toBe(get(one));
  expect([get(none), get(none)]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(3);
});

it("computes again where an object is combined with another one", () => {
  const sum = derived((a: { readonly n: number }) => derived((b: { readonly n: number }) => [a.n + b.n]));
  const [one, two] = [{ n: 1 }, { n: 2 }];
  expect(sum(one)(two)).toBe(sum(one)(two));
  expect(sum(one)(one)).toEqual([2]);
});
