/** Which screen an address of the editor has. */
import { expect, it } from "vitest";
import { ADDRESSES, matchAddress } from "../../src/admin/addresses.ts";

it("an address has at most one screen, with what stands for its ids", () => {
  const matched = (path: string): unknown => {
    const match = matchAddress(path.split("/").filter((segment) => segment !== ""));
    return match && [match.address, ...match.ids];
  };
  expect(matched("")).toEqual([""]);
  expect(matched("pages/12/")).toEqual(["pages/:id", "12"]);
  expect(matched("tags/new")).toEqual(["tags/new"]);
  expect(matched("types/3/instances/new")).toEqual(["types/:id/instances/new", "3"]);
  expect(matched("types/3/instances/4")).toEqual(["types/:id/instances/:id", "3", "4"]);
  expect(matched("menus/Fu%C3%9F%20%2F")).toEqual(["menus/:key", "Fuß /"]);
  expect(matched("menus/100%")).toEqual(["menus/:key", "100%"]);
  for (const path of ["pages/new", "pages/1x", "pages/12/histories", "articles/new", "media/1", "none"])
    expect([path, matched(path)]).toEqual([path, undefined]);
  for (const address of ADDRESSES)
    expect(matched(address.replaceAll(":id", "1").replace(":key", "k"))).toMatchObject({ 0: address });
});
