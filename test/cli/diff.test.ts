/** `cms diff`: the differences of two revisions as text, as Markdown and as data. */
import { describe, expect, it } from "vitest";
import { markdownOf, terminalTextOf } from "../../src/cli/diff-text.ts";
import type { Comparison } from "../../src/views/moments/compare.ts";
import { cms, PAGE, site } from "./process.ts";

describe("cms diff", () => {
  it("prints what a branch changes, in three forms, and refuses what is no range", async () => {
    const { dir, save, git } = site();
    git("switch", "--quiet", "--create", "design");
    save("content/pages/about.yaml", PAGE(12, "About").replace("title: About", "title: About us"));
    save("content/pages/fog.yaml", PAGE(40, "Fog"));
    git("add", "--all");
    git("commit", "--quiet", "--message=Design");
    git("switch", "--quiet", "main");
    const diff = (...args: string[]) => cms(["diff", ...args, "--root", dir]);

    const told = await diff("main..design");
    expect(told).toMatchObject({ code: 0, err: "" });
    expect(told.out).toContain('  ~ Page "About us"  content/pages/about.yaml\n');
    expect(told.out).toMatch(/^ {6}translations\.en\.title: "About" → "About us"$/m);
    expect(told.out).toContain('  + Page "Fog"  content/pages/fog.yaml\n');
    expect(told.out).toMatch(/^ {2}\+ \/fog\/$/m);
    expect(told.out).toMatch(/^2 records \(1 added, 1 changed\); \d+ public paths \(.*\)\.$/m);

    const markdown = await diff("main..design", "--markdown");
    expect(markdown.out).toContain('- added: `Page "Fog"` in `content/pages/fog.yaml`\n');
    const { records, urls } = JSON.parse((await diff("main..design", "--json")).out) as Comparison;
    expect(records.map(({ change }) => change).toSorted()).toEqual(["added", "changed"]);
    expect(urls).toContainEqual({ path: "/fog/", language_code: "en", change: "added" });
    expect((await diff("design..")).out).toContain('  - Page "Fog"');
    expect((await diff("main..main")).out).toBe("No differences.\n");

    expect(await diff("..design")).toMatchObject({ code: 2, err: expect.stringContaining("is no range") });
    expect(await diff("main..nowhere")).toMatchObject({ code: 1, err: expect.stringContaining("nowhere") });
  });
});

describe("hostile names and values", () => {
  const found: Comparison = {
    records: [
      {
        model: "Page",
        id: 1,
        path: "content/pages/a.yaml",
        name: "\u001b[2J`<b>",
        change: "changed",
        fields: [{ field: "title", before: null, after: `${"x".repeat(100)}\u0007` }],
      },
    ],
    urls: [],
  };

  it("reach neither the terminal nor the Markdown", () => {
    const io = { stdout: process.stdout, env: {} } as unknown as Parameters<typeof terminalTextOf>[0];
    const text = terminalTextOf(io, found) + markdownOf(found);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(text).toContain('- changed: `` Page "?[2J`<b>" `` in');
    expect(text).toContain(`title: nothing → "${"x".repeat(59)}…`);
  });
});
