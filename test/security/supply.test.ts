/** Supply chain: only templates and modules of the repository are code, never content or API input. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { memorySite, temporaryFolder } from "../site.ts";

const root = new URL("../../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const lock = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8"));

describe("front matter", () => {
  it.each(["js", "javascript", "json", "coffee", "toml", "ts", "eval", "yaml "])(
    "in %s is never executed",
    async (engine) => {
      const marker = join(await temporaryFolder(), "ran");
      const code = `{ title: (require("node:fs").writeFileSync(${JSON.stringify(marker)}, ""), globalThis.ran = 1, "T") }`;
      const site = await memorySite({
        "content/pages/a.md": `---${engine}\n${code}\n---\nText\n`,
        "content/pages/b.yaml": "title: B\n",
      });
      expect([existsSync(marker), "ran" in globalThis]).toEqual([false, false]);
      expect((await site.ask("GET", "api:pages/", { as: "staff" })).status).toBe(200);
    },
  );

  it.each([
    "!!js/function 'function () { globalThis.ran = 1 }'",
    "!!js/eval 'globalThis.ran = 1'",
    "!<tag:yaml.org,2002:js/function> 'x'",
    "!!python/object/apply:os.system ['id']",
    "!include /etc/passwd",
  ])("with the tag %s makes no record", async (value) => {
    const site = await memorySite({ "content/pages/a.yaml": `title: ${value}\n` });
    expect([site.cms.store.current.problems.length, "ran" in globalThis]).toEqual([1, false]);
  });
});

describe("through the API", () => {
  it("no write creates or changes a template, module, setting or hook", async () => {
    const site = await memorySite({ "content/pages/.gitkeep": "" });
    const evil = "{{ 1 }}";
    for (const name of [
      "../../templates/defaults/pages/default.html",
      "templates/x.html",
      "cms.config.yaml",
      "../cms.config.js",
      ".git/hooks/post-commit",
    ]) {
      for (const [path, body] of [
        [
          "pages/",
          { title: name, permalink: `/${name}`, autopermalink: false, template: name, template_data: { evil } },
        ],
        ["menus/", { key: name }],
        ["contents/", { identifier: name, content: evil }],
        ["tags/", { name }],
        ["media-folders/", { title: name, slug: name }],
        ["meta-types/", { key: name, name, schema: [] }],
      ] as const) {
        expect((await site.ask("POST", `api:${path}`, { as: "superuser", body })).status).toBeLessThan(500);
      }
    }
    const files = [
      ...(await site.repo.files(["content", "templates", ".git", "cms.config.yaml", "cms.config.js", "media"])).keys(),
    ];
    expect(files.filter((path) => !path.startsWith("content/"))).toEqual([]);
    for (const path of files)
      expect(path).toMatch(/^content\/[\w-]+\/[^.][^\\]*\.(yaml|gitkeep|md)$|^content\/pages\/\.gitkeep$/);
  });
});

describe("configuration", () => {
  it.each([
    "../outside.js",
    "/tmp/x.js",
    "a/../../x.js",
    "https://evil.example/x.js",
    "data:text/javascript,x",
    "node:fs",
    ".hidden/x.js",
  ])("names no module at %s", async (path) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "cms.config.yaml"), `RENDER: { PAGE: { INJECT_CONTEXT: ${JSON.stringify(path)} } }\n`);
    await expect(loadConfig(folder)).rejects.toMatchObject({ code: "setup" });
  });

  it.each([
    "API: { ALIASES: ['/../x'] }",
    "MEDIA: { URL: /../ }",
    "MEDIA: { RENDITIONS: { FOLDER: ../x } }",
    "MEDIA: { THUMBNAIL: { FOLDER: /etc } }",
    "RENDER: { PAGE: { DEFAULT_TEMPLATE: ../x.html } }",
    'CONTENT_SECURITY_POLICY: "a\\r\\nSet-Cookie: x"',
    "__proto__: { polluted: 1 }",
  ])("%s is refused", async (text) => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, "content"));
    writeFileSync(join(folder, "cms.config.yaml"), `${text}\n`);
    await expect(loadConfig(folder)).rejects.toMatchObject({ code: "setup" });
    expect("polluted" in {}).toBe(false);
  });
});

describe("packages", () => {
  it("are pinned to one version each", () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect([name, version]).toEqual([name, expect.stringMatching(/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+$|^file:test\//)]);
  });

  it("have a checksum and no install scripts", () => {
    for (const [path, entry] of Object.entries<{
      resolved?: string;
      integrity?: string;
      hasInstallScript?: boolean;
      dev?: boolean;
      optional?: boolean;
      inBundle?: boolean;
      link?: boolean;
    }>(lock.packages)) {
      if (path === "" || entry.inBundle) continue; // bundled packages are covered by their bundle's checksum
      if (entry.link || !path.includes("node_modules/")) continue; // a package of this repository
      expect([path, entry.integrity]).toEqual([path, expect.stringMatching(/^sha512-/)]);
      expect([path, Boolean(entry.hasInstallScript && !entry.dev && !entry.optional)]).toEqual([path, false]);
    }
  });

  it("with known vulnerabilities are not used", () => {
    const version = (name: string): string | undefined => lock.packages[`node_modules/${name}`]?.version;
    const atLeast = (name: string, floor: readonly number[]): boolean => {
      const parts = version(name)!.split(/[.-]/).map(Number);
      for (const [at, least] of floor.entries()) if (parts[at] !== least) return parts[at]! > least;
      return true;
    };
    expect(atLeast("yaml", [2, 8, 3])).toBe(true);
    expect(atLeast("ajv", [8, 18, 0])).toBe(true);
    expect(atLeast("sharp", [0, 35, 0])).toBe(true);
    expect(atLeast("h3", [2, 0, 2])).toBe(true);
    expect(
      [manifest.dependencies["gray-matter"], manifest.dependencies.nunjucks].every((from: string) =>
        from.startsWith("npm:@11ty/"),
      ),
    ).toBe(true);
  });
});
