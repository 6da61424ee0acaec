/** The starters of `cms init`: checked strictly, built, and crawled without a broken link or a problem of accessibility. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { load } from "js-yaml";
import { STARTERS } from "../../../src/cli/init/starters.ts";
import { inLanguages } from "../../../src/cli/init/copy-starter.ts";
import { filesIn } from "../../static-site/build-site.ts";
import { brokenLinks, outlineProblems } from "../../support/crawl.ts";
import { parseXml } from "../../support/xml.ts";
import { jpeg } from "../../media/media-site.ts";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { cms, emptyFolder } from "../process.ts";
import { withoutRenditions } from "../../support/without-renditions.ts";

/** A busy machine takes its time. */
const PATIENCE = { timeoutMs: 100_000 };

/** The colours of a style sheet, of light and of dark screens, by name. */
function colours(css: string): readonly Record<string, string>[] {
  const [light = "", dark = ""] = css.split("prefers-color-scheme: dark");
  const named = (text: string): Record<string, string> =>
    Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]));
  return [named(light), { ...named(light), ...named(dark) }];
}

/** WCAG 2.2, 1.4.3. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe("the starters", () => {
  it.each([
    ["business", "en,it", "en"],
    ["business", "de,it", "de"],
    ["blog", "en,it", "en"],
    ["blog", "fr", "fr"],
    ["lighthouse", "en,it,de", "en"],
  ])(
    "%s in %s has no problem, no broken link, and a home page in each language",
    { timeout: 240_000 },
    async (...row) => {
      const [starter, languages, standard] = row;
      const dir = join(emptyFolder(), "site");
      expect(await cms(["init", dir, "--starter", starter, "--languages", languages], PATIENCE)).toMatchObject({
        code: 0,
      });
      // The lighthouse is copied into further languages by its home page alone.
      const isComplete = starter !== "lighthouse";
      const check = await cms(["check", "--quiet", "--root", dir, ...(isComplete ? ["--strict"] : [])], PATIENCE);
      expect(check).toMatchObject({ code: 0, ...(isComplete && { out: "", err: "" }) });
      // What git ignores is not committed.
      expect(readFileSync(join(dir, ".gitignore"), "utf8")).toContain("media/renditions/\nmedia/thumbnails/\n");
      expect(readFileSync(join(dir, "cms.config.yaml"), "utf8")).toContain("RENDITIONS: { COMMIT: false }");
      withoutRenditions(dir);
      const built = await cms(["build", "--root", dir, "--quiet"], PATIENCE);
      expect(built).toMatchObject({ code: 0, out: "" });
      const files = filesIn(join(dir, "dist"));
      for (const lang of languages.split(","))
        expect(files.get(lang === standard ? "index.html" : `${lang}/index.html`)).toContain(`<html lang="${lang}">`);
      expect(brokenLinks(files)).toEqual([]);
      expect(outlineProblems(files)).toEqual([]);
      if (starter !== "blog") return;
      // The thumbnail of a picture that comes later is among what git ignores, too.
      const git = (...args: string[]): string =>
        execFileSync("git", args, { cwd: dir, env: GIT_ENV, encoding: "utf8" });
      writeFileSync(join(dir, "media/later.jpg"), await jpeg(200, 100));
      git("add", "--all");
      git("-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "--message=A picture");
      expect(await cms(["regenerate-renditions", "--missing", "--root", dir], PATIENCE)).toMatchObject({ code: 0 });
      expect(existsSync(join(dir, "media/thumbnails/later_thumb.jpg"))).toBe(true);
      expect(git("status", "--porcelain")).toBe("");
      for (const lang of languages.split(",")) {
        const feed = lang === standard ? "feed.xml" : `${lang}/feed.xml`;
        expect(parseXml(Buffer.from(files.get(feed)!, "latin1").toString()).children.length).toBeGreaterThan(10);
        expect(files.get(lang === standard ? "index.html" : `${lang}/index.html`)).toContain(
          `type="application/atom+xml" title="${lang === "it" ? "Seconda tazza" : "Second Cup"}" href="/${feed}"`,
        );
      }
    },
  );

  it.each([["business"], ["blog"]])("%s has enough contrast, in light and dark", (starter) => {
    const css = readFileSync(
      join(import.meta.dirname, "../../../examples/starters", starter, "static/css/site.css"),
      "utf8",
    );
    for (const scheme of colours(css)) {
      const pairs = [
        ["ink", "paper"],
        ["soft", "paper"],
        ["accent", "paper"],
        ...(scheme.band
          ? [
              ["soft", "band"],
              ["soft", "card"],
              ["warm", "paper"],
              ["on-accent", "accent"],
              ["on-deep", "deep"],
            ]
          : [["ink", "tint"]]),
      ] as const;
      for (const [text, ground] of pairs)
        expect([text, ground, contrast(scheme[text!]!, scheme[ground!]!) >= 4.5]).toEqual([text, ground, true]);
    }
  });

  it.each([["lighthouse"], ["business"], ["blog"]])(
    "%s has at least eight kinds of sections, each with a template and on a page",
    (starter) => {
      const root = join(import.meta.dirname, "../../..", STARTERS[starter]!.folder);
      const types = readdirSync(join(root, "content/block-types")).map((file) => file.replace(".yaml", ""));
      expect(types.length).toBeGreaterThanOrEqual(8);
      expect(readdirSync(join(root, "templates/blocks")).sort()).toEqual(types.map((type) => `${type}.html`).sort());
      const pages = [...filesIn(join(root, "content/pages")).values()].join("");
      expect(types.filter((type) => !pages.includes(`- type: ${type}\n`))).toEqual([]);
    },
  );

  it("an unknown starter is wrong use", async () => {
    const dir = join(emptyFolder(), "site");
    expect(await cms(["init", dir, "--starter", "shop"])).toMatchObject({
      code: 2,
      err: 'error: There is no starter "shop": take lighthouse, business, blog.\n',
    });
    expect(existsSync(dir)).toBe(false);
  });
});

describe("inLanguages", () => {
  const text =
    "id: 1\ntranslations:\n  en: { title: Bread }\n  it: { title: Pane }\nnote: { en: Bell }\nlist: [{ it: Uno, en: One }]\n";
  it.each([
    [["en", "it"], { translations: { en: { title: "Bread" }, it: { title: "Pane" } }, note: { en: "Bell" } }],
    [["it"], { translations: { it: { title: "Pane" } }, note: { it: "Bell" } }],
    [
      ["de", "it"],
      { translations: { de: { title: "Bread" }, it: { title: "Pane" } }, note: { de: "Bell", it: "Bell" } },
    ],
    [
      ["it", "fr"],
      { translations: { it: { title: "Pane" }, fr: { title: "Pane" } }, note: { it: "Bell", fr: "Bell" } },
    ],
  ])("%j", (languages, expected) => expect(load(inLanguages(text, languages))).toMatchObject({ id: 1, ...expected }));
});
