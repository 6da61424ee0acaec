/** docs/content.md: its examples load as one site without a problem, and it names every field, field kind and record. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { KINDS } from "../src/cms.ts";
import { KIND_NAMES } from "../src/model/fields/definition.ts";
import { GLOBAL_FIELDS, TEXT_FIELDS } from "../src/model/page/page.ts";
import { showProblem } from "../src/model/text/problem.ts";
import { allProblems } from "../src/store/check/check.ts";
import { mediaSite } from "./media/media-site.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TEXT = readFileSync(join(ROOT, "docs/content.md"), "utf8");
const FILES = Object.fromEntries([
  ...[...TEXT.matchAll(/^```yaml\n# (content\/\S+)\n([^]*?)^```$/gm)].map(([, path, text]) => [path!, text!]),
  ...[...TEXT.matchAll(/^```markdown\n<!-- (content\/\S+) -->\n([^]*?)^```$/gm)].map(([, path, text]) => [
    path!,
    text!,
  ]),
]);

describe("docs/content.md", () => {
  it.each([...GLOBAL_FIELDS, ...TEXT_FIELDS].map(({ name }) => name))("has the page field %s", (name) =>
    expect(TEXT).toContain(`\`${name}\``),
  );
  it.each(KIND_NAMES)("has the field kind %s", (kind) =>
    expect(TEXT).toMatch(new RegExp(`^\\| .*\`${kind}\`.* \\|`, "m")),
  );
  it.each(KINDS.map(({ dir }) => dir))("has an example below %s", (dir) =>
    expect(Object.keys(FILES).some((path) => path.startsWith(dir))).toBe(true),
  );

  it("has examples that load as one site, without a problem", async () => {
    const languages = [
      { id: "en", name: "English" },
      { id: "it", name: "Italiano" },
    ];
    const site = await mediaSite({ LANGUAGES: languages }, FILES, ({ dir, git }) => {
      mkdirSync(join(dir, "media/bakery"), { recursive: true });
      copyFileSync(join(ROOT, "media/first-ferry.jpg"), join(dir, "media/bakery/oven.jpg"));
      git("add", "media");
      git("commit", "--quiet", "--message=The oven");
    });
    const { store, locales } = site.cms;
    const problems = await allProblems(store, locales, { mediaUrl: "/media/" });
    expect(problems.map(showProblem)).toEqual([]);
    const served = await site.ask("GET", "api:pages-router/bread/focaccia/");
    expect(served.body).toMatchObject({ title: "Focaccia", template_data: { minutes: 150 }, chapter: { id: 2 } });
    expect(served.body.template_data.picture).toMatchObject({ id: 30 });
    expect((await site.ask("GET", "api:pages-router/bread/rye/")).body).toMatchObject({ parent_page: { id: 2 } });
    expect(await site.api("GET", "meta-instances/61/")).toMatchObject({ data: { from: "06:30" } });
    expect((await site.ask("GET", "api:pages-router/about-us/")).body.template_data.body).toContain("since 1998");
  });
});
