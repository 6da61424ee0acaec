/** `cms search`: words of the content, as text and as data. */
import { expect, it } from "vitest";
import { cms, PAGE, site } from "./process.ts";

it("prints where words stand and in which file, as text and as JSON, and fails where they are nowhere", async () => {
  const { dir, save } = site();
  const hostile = PAGE(41, "Fog").replace("title: Fog", 'title: Fog\n    description: "A \\ebell \\u0007 in the fog"');
  save("content/pages/fog.yaml", hostile);
  const search = (...args: string[]) => cms(["search", ...args, "--root", dir]);

  const told = await search("bells", "fog");
  expect(told).toMatchObject({ code: 0, err: "" });
  expect(told.out).toMatch(
    /^Fog {2}page 41 {2}en {2}PUB {2}content\/pages\/fog\.yaml\n {4}description: A \?bell \? in the fog\n/,
  );
  expect(told.out).toMatch(/\n1 result\.\n$/);

  const { items, total } = JSON.parse((await search("fog", "--language", "en", "--model", "page", "--json")).out);
  expect([total, items[0].file]).toEqual([1, "content/pages/fog.yaml"]);

  expect(await search("nowhere-at-all")).toMatchObject({ code: 1, out: "0 results.\n" });
  expect(await search("fog", "--items", "0")).toMatchObject({ code: 2, err: expect.stringContaining("--items") });
  expect(await search("fog", "--language", "xx")).toMatchObject({ code: 1, err: expect.stringContaining("xx") });
});
