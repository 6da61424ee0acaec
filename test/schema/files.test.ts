/** JSON Schemas of files: those of the example site and all that the program writes are valid, and mistakes are not. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { keepSchemas, writeSchemas } from "../../src/cli/schema-files.ts";
import { copyStarter } from "../../src/cli/init/copy-starter.ts";
import { editorSettings } from "../../src/cli/init/editor-settings.ts";
import { configText } from "../../src/cli/init/starter.ts";
import { BARE_SITE, STARTERS } from "../../src/cli/init/starters.ts";
import { SETTINGS } from "../../src/config.ts";
import { fileSchemas, yamlSchemas, type FileSchema } from "../../src/schema/files.ts";
import { shapeOf } from "../../src/schema/site-shape.ts";
import { FULL_FILES, fullSite } from "../http/openapi/full-site.ts";
import { memorySite, temporaryFolder, type TestSite } from "../site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const schemasOf = ({ cms }: Pick<TestSite, "cms">): readonly FileSchema[] =>
  fileSchemas(shapeOf(cms.config, cms.store.current));

/** The errors of a file by its path: those of the one schema that is for it. */
function checker(schemas: readonly FileSchema[]): (path: string, text: string) => unknown {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const valid = new Map<string, ValidateFunction>(schemas.map(({ name, schema }) => [name, ajv.compile(schema)]));
  return (path, text) => {
    const found = schemas.filter(({ globs }) => isFor(globs, path));
    expect([path, found.map(({ name }) => name)]).toEqual([path, [expect.any(String)]]);
    const validate = valid.get(found[0]!.name)!;
    return validate(parse(text))
      ? []
      : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

function isFor(globs: readonly string[], path: string): boolean {
  const matches = (glob: string): boolean => patternOf(glob).test(path);
  return (
    globs.some((glob) => !glob.startsWith("!") && matches(glob)) &&
    !globs.some((glob) => glob.startsWith("!") && matches(glob.slice(1)))
  );
}

const PARTS: Readonly<Record<string, string>> = {
  "**/": "(.*/)?",
  "*": "[^/]*",
  "{": "(",
  "}": ")",
  ",": "|",
  ".": "\\.",
};

const patternOf = (glob: string): RegExp => new RegExp(`^${glob.replace(/\*\*\/|[*{},.]/g, (part) => PARTS[part]!)}$`);

const isYaml = (path: string): boolean => /\.ya?ml$/.test(path);

const yamlBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path}`)
    .filter(isYaml);

describe("the schemas", () => {
  it("accept the settings of the example site", async () => {
    const errorsOf = checker(schemasOf(await memorySite()));
    expect(errorsOf("cms.config.yaml", readFileSync(join(ROOT, "cms.config.yaml"), "utf8"))).toEqual([]);
  });

  it("accept every file that the program writes", { timeout: 60_000 }, async () => {
    const { site, page, article, data, user } = await fullSite();
    await site.api("PATCH", `pages/${page.id}/draft/`, { title: "Later", title_it: "Poi", translations: { it: {} } });
    await site.api("PATCH", `articles/${article.id}/`, { author: user.id, permalink: "/new", autopermalink: false });
    await site.api("PATCH", `articles/${article.id}/`, { permalink: "/newer" });
    await site.api("POST", "meta-instances/", { meta_type: 70, data });
    await site.api("POST", "meta-types/", { key: "written", name: "Written", schema: [{ name: "a", kind: "number" }] });
    const errorsOf = checker(schemasOf(site));
    const paths = yamlBelow(site.disk.dir, "content");
    expect(paths.length).toBeGreaterThan(12);
    for (const path of paths) {
      const text = readFileSync(join(site.disk.dir, path), "utf8");
      expect.soft([path, errorsOf(path, text)]).toEqual([path, []]);
    }
  });

  it("accept names in place of ids", async () => {
    const errorsOf = checker(schemasOf(await memorySite()));
    const link = "{ link_type: RE, url_node: /bread }";
    const files = {
      "content/pages/a.yaml": "parent_page: /bread\nog_image: hero.jpg\n",
      "content/articles/day.yaml": "tags: [Sourdough, 21]\n",
      "content/menus/main.yaml": `translations: { en: { nodes: [{ title: B, link: ${link} }] } }\n`,
      "content/contents/notice.yaml": "page: /bread\n",
    };
    for (const [path, text] of Object.entries(files)) expect([path, errorsOf(path, text)]).toEqual([path, []]);
  });

  it("accept names in data of page models and meta types", async () => {
    const errorsOf = checker(schemasOf(await memorySite(FULL_FILES)));
    const link = "{ link_type: RE, url_node: /bread }";
    const data = [
      "slogan: { en: Bread }, a_media: hero.jpg, a_ref: /bread, a_queryset: [Sourdough, 21], to_cms_menu: main",
      `a_permalink: ${link}, a_group: { label: { en: Label }, to: ${link} }, a_list: [{ label: { en: L }, to: ${link} }]`,
    ].join(", ");
    const files = {
      "content/pages/a.yaml": `model: room\ntranslations: { en: { template_data: { ${data} } } }\n`,
      "content/pages/a.draft.en.yaml": "payload: { floor: /bread }\n",
      "content/meta-instances/all-kinds/a.yaml": `meta_type: all-kinds\ndata: { ${data} }\n`,
    };
    for (const [path, text] of Object.entries(files)) expect([path, errorsOf(path, text)]).toEqual([path, []]);
    expect(errorsOf("content/meta-instances/all-kinds/a.yaml", "data: { slogan: { en: B }, a_media: [] }")).toContain(
      "/data/a_media must be integer,string",
    );
  });

  it("accept moments without a zone where the site has one", async () => {
    const text = "date_created: 2026-03-01\ntranslations: { en: { published_at: 2026-03-01 10:00 } }\n";
    const draft = "scheduled_for: 2026-03-01 10:00\npayload: { published_at: 2026-03-01T10:00:00 }\n";
    const local = checker(schemasOf(await memorySite({}, { TIME_ZONE: "Europe/Rome" })));
    expect(local("content/pages/a.yaml", text)).toEqual([]);
    expect(local("content/pages/a.draft.en.yaml", draft)).toEqual([]);
    expect(local("content/pages/a.yaml", "date_created: yesterday")).not.toEqual([]);
    expect(checker(schemasOf(await memorySite()))("content/pages/a.yaml", text)).not.toEqual([]);
  });

  it.each(Object.entries(STARTERS))("accept every file of the starter %s", async (_name, { folder }) => {
    const root = join(ROOT, folder);
    const paths = yamlBelow(root, "content");
    const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
    const errorsOf = checker(schemasOf(await memorySite(files)));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect.soft([path, errorsOf(path, files[path]!)]).toEqual([path, []]);
  });

  it("accept the files of a new site", async () => {
    const errorsOf = checker(schemasOf(await memorySite()));
    const languages = [
      ["en", "English"],
      ["it", "Italiano"],
    ] as const;
    for (const isExample of [true, false])
      expect(errorsOf("cms.config.yaml", configText(languages, "en", isExample))).toEqual([]);
    const dir = await temporaryFolder();
    await copyStarter(BARE_SITE, dir, ["it", "en"]);
    expect(errorsOf("content/pages/home.yaml", readFileSync(join(dir, "content/pages/home.yaml"), "utf8"))).toEqual([]);
  });

  it.each([
    ["content/pages/a.yaml", "titel: x", " must NOT have additional properties"],
    [
      "content/pages/a.yaml",
      "translations: { en: { title: [] } }",
      "/translations/en/title must be string,number,null",
    ],
    ["content/pages/a.yaml", "translations: { fr: {} }", "/translations must NOT have additional properties"],
    ["content/pages/a.yaml", "model: rom", "/model must be equal to one of the allowed values"],
    ["content/pages/a.yaml", "date_created: yesterday", '/date_created must match format "date-time"'],
    [
      "content/pages/a.yaml",
      "model: room\ntranslations: { en: { template_data: { a_select: c } } }",
      "/translations/en/template_data/a_select must be equal to one of the allowed values",
    ],
    ["content/pages/a.draft.en.yaml", "payload: []", "/payload must be object"],
    [
      "content/menus/a.yaml",
      "translations: { en: { nodes: [{ title: x }] } }",
      "/translations/en/nodes/0 must have required property 'link'",
    ],
    ["content/meta-instances/faq/a.yaml", "data: {}", "/data must have required property 'question'"],
    ["content/meta-types/a.yaml", "schema: [{ kind: string }]", "/schema/0 must have required property 'name'"],
    ["content/redirects.yaml", "[{ from: /a }]", "/0 must have required property 'to'"],
    ["cms.config.yaml", "API: { MAX_BODY: 1 }", "/API/MAX_BODY must be >= 1024"],
    ["cms.config.yaml", "LANGUAGE: en", " must NOT have additional properties"],
  ])("refuse in %s: %s", async (path, text, message) => {
    const errorsOf = checker(schemasOf(await memorySite(FULL_FILES)));
    expect(errorsOf(path, text)).toContain(message);
  });

  it("describe every setting with its help and default", async () => {
    const settings = schemasOf(await memorySite()).find(({ name }) => name === "settings.json")!.schema;
    for (const { path, help, fallback } of SETTINGS) {
      const found = path.split(".").reduce((at: any, key) => at.properties[key], settings);
      expect([path, found.description, found.default]).toEqual([path, help, fallback]);
    }
  });
});

describe("the folder of schemas", () => {
  it("has what the mapping names, and nothing of types that are gone", async () => {
    const folder = await temporaryFolder();
    const schemas = schemasOf(await memorySite(FULL_FILES));
    mkdirSync(join(folder, "instances"));
    writeFileSync(join(folder, "instances/gone.json"), "{}");
    await writeSchemas(folder, schemas);
    const written = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
    expect(written.map((path) => `./.cms/schemas/${path}`).sort()).toEqual(Object.keys(yamlSchemas(schemas)).sort());
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("has every schema that `cms init` names in the settings of an editor", async () => {
    const named = JSON.parse(editorSettings(["en", "it"], ["all-kinds", "faq"]))["yaml.schemas"];
    expect(named).toEqual(yamlSchemas(schemasOf(await memorySite(FULL_FILES))));
  });

  it("follows the meta types while a site is developed", async () => {
    const site = await memorySite();
    const stop = keepSchemas(site.cms);
    await site.api("POST", "meta-types/", { key: "faq", name: "FAQ", schema: [{ name: "question" }] });
    const text = (): string => readFileSync(join(site.cms.root, ".cms/schemas/instances/faq.json"), "utf8");
    await stop(); // waits for the last write
    expect(text()).toContain('"question"');
  });
});
