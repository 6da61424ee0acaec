/** Every command loads the plugins of a site, from a TypeScript configuration and from modules that it names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { gitSite } from "../store/git-site.ts";
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
