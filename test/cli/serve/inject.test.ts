/** A site's own module and the command speak of the same nunjucks. */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { cms, emptyFolder, PAGE, site } from "../process.ts";

it("shows what a module has marked safe as it is", async () => {
  const { dir } = site({
    "cms.config.yaml": "RENDER:\n  PAGE:\n    INJECT_CONTEXT: inject.mjs\n    DEFAULT_TEMPLATE: t.html\n",
    "inject.mjs":
      'import nunjucks from "nunjucks";\nexport default () => ({ box: new nunjucks.runtime.SafeString("<b>box</b>"), text: "<i>" });\n',
    "templates/t.html": "{{ box }}{{ text }}",
    "content/pages/one.yaml": PAGE(1, "One"),
  });
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(dir, "node_modules"));
  const out = join(emptyFolder(), "out");
  expect(await cms(["build", "--root", dir, "--out", out, "--quiet"])).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(join(out, "one/index.html"), "utf8")).toBe("<b>box</b>&lt;i&gt;");
});
