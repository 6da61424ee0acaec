/** docs/templates.md names everything a template can use, and its examples print what it says, on the example site. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import nunjucks from "nunjucks";
import { describe, expect, it } from "vitest";
import { helpersWith } from "../src/render/helpers/helpers.ts";
import { renderInput, renderPage } from "../src/render/page.ts";
import { VARIABLES } from "../src/render/template-hints.ts";
import { findPage } from "../src/store/content/indexes/pages-by-model.ts";
import { mediaSite } from "./media/media-site.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TEXT = readFileSync(join(ROOT, "docs/templates.md"), "utf8");
const ABOUT = 214765569;
const LANGUAGES = [
  { id: "en", name: "English" },
  { id: "it", name: "Italiano" },
];
const EXAMPLES = [...TEXT.matchAll(/^```njk\n([^]*?)^```\n```html\n([^]*?)^```$/gm)].map(
  ([, template = "", html = ""]) => [template, html] as const,
);

/** Functions and filters beyond those of nunjucks. */
function added(table: "globals" | "filters"): string[] {
  const plain = new nunjucks.Environment() as unknown as Record<typeof table, object>;
  const ours = helpersWith(undefined)(new nunjucks.Environment()) as unknown as Record<typeof table, object>;
  return Object.keys(ours[table]).filter((name) => !(name in plain[table]));
}

describe("is complete", () => {
  it.each(VARIABLES)("variable %s", (name) => expect(TEXT).toContain(`\n| \`${name}\` |`));
  it.each(added("globals"))("function %s", (name) => expect(TEXT).toContain(`\n### \`${name}(`));
  it.each(added("filters"))("filter %s", (name) => expect(TEXT).toMatch(new RegExp(`\n### \`${name}\`|\\| ${name}\``)));
});

describe("prints", () => {
  it("what stands below each example", async () => {
    const site = await mediaSite({ LANGUAGES }, {}, ({ dir, git }) => {
      for (const folder of ["content", "media"]) cpSync(join(ROOT, folder), join(dir, folder), { recursive: true });
      git("add", "--all");
      git("commit", "--quiet", "--message=The example site");
    });
    const { store, templates, config, locales, env } = site.cms;
    const content = store.current;
    const view = { content, config, locales, lang: "en", now: env.now(), surface: "public", origin: "" } as const;
    const request = { path: "/about-us/", url: "https://example.org/about-us/", host: "example.org", language: "en" };
    const { payload } = renderInput(view, findPage(content, ABOUT)!);
    expect(Object.keys(payload).filter((key) => !TEXT.includes(`\`${key}\``))).toEqual([]);
    expect(EXAMPLES.length).toBeGreaterThan(20);
    for (const [template, html] of EXAMPLES) {
      site.disk.save("templates/example.html", template);
      templates.reset();
      const input = { ...renderInput(view, findPage(content, ABOUT)!), template: "example.html" };
      const printed = await renderPage(templates, view, input, request);
      expect([template, printed.trim()]).toEqual([template, html.trim()]);
    }
  });
});
