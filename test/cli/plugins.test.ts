/** Every command loads the plugins of a site, from a TypeScript configuration and from modules that it names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Report } from "../../src/static-site/report.ts";
import { gitSite } from "../store/git/git-site.ts";
import { cms, emptyFolder, PAGE } from "./process.ts";

const FILES = {
  "content/pages/one.yaml": PAGE(1, "One"),
  "content/meta-types/shop.yaml": "id: 5\nname: Shop\nschema:\n  - name: motto\n    kind: motto\n",
  "content/meta-instances/shop/a.yaml": "id: 6\ndata:\n  motto: 7\n",
  "templates/defaults/pages/default.html": "{{ page.title | shout }} {{ page.letters }}",
};
const PLUGIN = `
import { definePlugin } from "git-cms";
export default definePlugin({
  name: "loud",
  filters: { shout: (text: unknown) => String(text) + "!" },
  computed: { letters: (page) => page.translations.en?.title?.length ?? 0 },
  fieldKinds: { motto: { schema: { type: "string" }, message: "A motto is text." } },
});
`;

it.each<[string, Record<string, string>]>([
  [
    "cms.config.ts",
    { "cms.config.ts": 'import loud from "./plugins/loud.ts";\nexport default { plugins: [loud] };\n' },
  ],
  ["cms.config.yaml", { "cms.config.yaml": "plugins: [plugins/loud.ts]\n" }],
])("loads the plugins of %s: check and build", async (_name, config) => {
  const { dir, remove } = gitSite({ ...FILES, ...config, "plugins/loud.ts": PLUGIN });
  onTestFinished(remove);
  const check = await cms(["check", "--root", dir, "--quiet"]);
  expect(check).toMatchObject({ code: 1, err: "" });
  expect(check.out).toContain("data.motto: A motto is text.");
  expect(check.out).not.toContain("kind");
  const out = join(emptyFolder(), "out");
  expect(await cms(["build", "--root", dir, "--out", out, "--quiet"])).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(join(out, "one/index.html"), "utf8")).toBe("One! 3");
});

it("uses the plugins in all processes of a build, and reports a failing one once, with the first page", async () => {
  const COUNT = 1_010; // with fewer files no worker starts before the pages are planned
  const { dir, remove } = gitSite({
    ...Object.fromEntries(
      Array.from({ length: COUNT }, (_, n) => [`content/pages/p${n}.yaml`, PAGE(1000 + n, `P${n}`)]),
    ),
    "templates/defaults/pages/default.html": "<h1>{{ page.title | shout }}</h1>",
    "cms.config.yaml": "plugins: [plugins/loud.ts]\n",
    "plugins/loud.ts": `export default { name: "loud", filters: { shout(text: string) {
      if (/^P[37]5$/.test(text)) throw new Error("too quiet");
      return text + "!";
    } } };\n`,
  });
  onTestFinished(remove);
  const out = join(emptyFolder(), "out");
  const args = ["build", "--root", dir, "--out", out];
  const first = await cms([...args, "--jobs", "3", "--json"], { timeoutMs: 60_000 });
  expect(first.code).toBe(0);
  const report = JSON.parse(first.out) as Report;
  expect(report).toMatchObject({ rendered: COUNT, failures: [] });
  const failed = '/p35/ (en) and 1 more page: The plugin "loud" failed in filters.shout: too quiet';
  expect(report.warnings.filter((warning) => warning.includes("plugin"))).toEqual([failed]);
  expect(first.err.match(/too quiet/g)).toHaveLength(1);
  for (let n = 0; n < COUNT; n++) {
    const title = n === 35 || n === 75 ? "" : `P${n}!`;
    expect(readFileSync(join(out, `p${n}/index.html`), "utf8")).toBe(`<h1>${title}</h1>`);
  }
  const again = await cms(args, { timeoutMs: 60_000 });
  expect(again.err).toContain(`warning: ${failed}`);
  expect(again.err).toContain(`2 rendered, ${COUNT - 2} kept`);
}, 180_000);
