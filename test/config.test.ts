import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CmsError } from "../src/errors.ts";
import { SETTINGS, defaultConfig, findRoot, loadConfig, publicSettings } from "../src/config.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cms-config-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(root, name), text);

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CmsError && error.code === "setup") return error.message;
    throw error;
  }
  throw new Error("Nothing was refused");
}

/** The errors of a YAML file, without the line that names the file. */
async function complaintsAbout(yaml: string): Promise<string[]> {
  write("cms.config.yaml", yaml);
  const [head, ...complaints] = (await refusalOf(() => loadConfig(root))).split("\n  ");
  expect(head).toBe("cms.config.yaml cannot be used:");
  return complaints;
}

describe("SETTINGS", () => {
  it.each(SETTINGS.map((setting) => [setting.path, setting] as const))(
    "%s has help and a default that fits",
    (path, setting) => {
      const complaints: string[] = [];
      const complain = (at: string, found: unknown, expected: string): undefined =>
        void complaints.push(at, String(found), expected);
      expect(setting.help).toMatch(/^[A-Z].*\.$/);
      expect(setting.type(setting.fallback, path, complain)).toEqual(setting.fallback);
      expect(complaints).toEqual([]);
    },
  );

  it("has one row per path", () => {
    const paths = SETTINGS.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe("defaultConfig", () => {
  it("has every setting with its default", () => {
    const { locales, explained: _, ...settings } = defaultConfig();
    const sizes = [
      ["sm", 400],
      ["md", 800],
      ["lg", 1600],
    ] as const;
    expect(locales).toMatchObject({ codes: ["en", "it"], default: "en" });
    expect(settings).toEqual({
      LANGUAGE_CODE: "en",
      LANGUAGES: [
        { id: "en", name: "English" },
        { id: "it", name: "Italiano" },
      ],
      TIME_ZONE: null,
      SITE_NAME: null,
      BASE_URL: null,
      BASE_PATH: "",
      APPEND_SLASH: true,
      PAGINATION: { WORDS: {} },
      REVISIONS: true,
      ROUTER_CACHE: 900,
      TRUSTED_PROXIES: [],
      METRICS_CLIENTS: ["127.0.0.0/8", "::1"],
      ALLOWED_HOSTS: [],
      TRUSTED_ORIGINS: [],
      CONTENT_SECURITY_POLICY: expect.stringMatching(/^default-src 'self'; /), // ours: docs/security.md
      SYNC: { REMOTE: null, BRANCH: null, EVERY: 30, PUSH: true, PUSH_BRANCH: null, SECRET: null },
      CONTENT: { FRONT_MATTER: null },
      CHECK: { RULES: {} },
      AUTH: { OIDC: [], ONLY_OIDC: false },
      AUDIT: { KEEP: 365 },
      REVIEW: { REQUIRED: [] },
      PUSH: { ROLES: {} },
      HOOKS: [],
      FEED: { ITEMS: 20 },
      SITE_SEARCH: false,
      PREVIEW: { SITES: [] },
      RENDER: {
        PAGE: { DEFAULT_TEMPLATE: "defaults/pages/default.html", INJECT_CONTEXT: null },
        AUTO_CREATE_HOMEPAGE: false,
        HEADLESS: null,
      },
      ADMIN: { ENABLE: true, PATH: "/admin/" },
      API: {
        ALIASES: [],
        NESTING_DEPTH: 10,
        MAX_BODY: 10485760,
        MAX_UPLOAD: 104857600,
        MAX_VALUE: 1048576,
        MAX_KEYS: 20000,
        UNKNOWN_FIELDS: "refuse",
      },
      MEDIA: {
        URL: "/media/",
        OPTIMIZE: { ENABLE: true, MAX_WIDTH: 1980, MAX_HEIGHT: 1400, DPI: 30, JPEG_QUALITY: 85 },
        THUMBNAIL: { FOLDER: "", WIDTH: 50, HEIGHT: 50 },
        RENDITIONS: {
          ENABLE: true,
          FOLDER: "renditions",
          VARIANTS: ["webp", "avif", "original"].flatMap((format) =>
            sizes.map(([size, width]) => ({ name: `${size}-${format}`, width, format })),
          ),
          JPEG_QUALITY: 85,
          WEBP_QUALITY: 82,
          AVIF_QUALITY: 60,
          AVIF_EFFORT: 3,
          PREVENT_INFLATE: true,
          COMMIT: true,
        },
      },
    });
  });

  it("takes an address for MEDIA.URL: its path is served, and templates see it whole", () => {
    const config = defaultConfig({ MEDIA: { URL: "https://CDN.example.org/files/" } });
    expect([config.mediaOrigin, config.MEDIA.URL]).toEqual(["https://cdn.example.org", "/files/"]);
    expect(publicSettings(config)).toMatchObject({ MEDIA: { URL: "https://cdn.example.org/files/" } });
    expect(publicSettings(defaultConfig())).toMatchObject({ MEDIA: { URL: "/media/" } });
  });

  it("replaces single settings and keeps others", () => {
    const config = defaultConfig({ MEDIA: { THUMBNAIL: { WIDTH: 80 } }, LANGUAGES: [{ id: "en", name: "English" }] });
    expect(config.MEDIA.THUMBNAIL).toEqual({ FOLDER: "", WIDTH: 80, HEIGHT: 50 });
    expect(config.locales.codes).toEqual(["en"]);
  });

  it("validates overrides", async () => {
    expect(await refusalOf(() => defaultConfig({ ROUTER_CACHE: -1 }))).toContain("ROUTER_CACHE: found -1");
  });
});

describe("loadConfig", () => {
  const settings = `{ "LANGUAGE_CODE": "it", "LANGUAGES": { "it": "Italiano", "no": "Norsk" }, "ROUTER_CACHE": 0 }`;
  it.each([
    ["cms.config.yaml", "LANGUAGE_CODE: it\nLANGUAGES: { it: Italiano, no: Norsk } # order matters\nROUTER_CACHE: 0\n"],
    ["cms.config.yml", settings],
    ["cms.config.json", `\uFEFF${settings}`],
    ["cms.config.js", `module.exports = ${settings};`],
    ["cms.config.mjs", `export default ${settings};`],
    ["cms.config.ts", `const settings: Record<string, unknown> = ${settings};\nexport default settings;`],
  ])("reads %s", async (name, text) => {
    write(name, text);
    const config = await loadConfig(root);
    expect(config.locales).toMatchObject({ codes: ["it", "no"], default: "it" });
    expect(config.ROUTER_CACHE).toBe(0);
    expect(config.REVISIONS).toBe(true);
  });

  it.each([
    ["no line", ""],
    ["comments only", "# nothing yet\n"],
    ["empty groups", "MEDIA:\n  OPTIMIZE:\n"],
  ])("uses the defaults for a file with %s", async (_what, text) => {
    write("cms.config.yaml", text);
    const { explained } = defaultConfig();
    expect({ ...(await loadConfig(root)), explained }).toEqual(defaultConfig());
  });

  it("accepts a function from a module", async () => {
    write("cms.config.mjs", "export default { RENDER: { PAGE: { INJECT_CONTEXT: () => ({ year: 2026 }) } } };");
    const inject = (await loadConfig(root)).RENDER.PAGE.INJECT_CONTEXT;
    expect(typeof inject === "function" && inject({}, {})).toEqual({ year: 2026 });
  });

  it("reports what to do without a file", async () => {
    expect(await refusalOf(() => loadConfig(root))).toMatch(/^There is no cms\.config\.yaml in .*: run `cms init`/);
  });

  it("refuses two files", async () => {
    write("cms.config.yaml", "");
    write("cms.config.json", "{}");
    expect(await refusalOf(() => loadConfig(root))).toMatch(/both cms\.config\.yaml and cms\.config\.json/);
  });

  it.each([
    ["cms.config.yaml", "A: [1\nB: 2", "line 2, column 1: deficient indentation"],
    ["cms.config.yaml", "REVISIONS: true\nREVISIONS: false", "line 2, column 1: duplicated mapping key"],
    ["cms.config.yaml", "REVISIONS: true\n---\nREVISIONS: false", "more than one document"],
    ["cms.config.yaml", "REVISIONS: !!js/function x", "unknown"],
    ["cms.config.yaml", "[".repeat(200), "maxDepth"],
    ["cms.config.yaml", `# ${"x".repeat(70_000)}`, "larger than 65536 bytes"],
    ["cms.config.json", "{", "JSON"],
    ["cms.config.mjs", "export const settings = {};", "no default export"],
    ["cms.config.mjs", "throw new Error('out of luck');", "out of luck"],
  ])("names the file that cannot be read: %s %#", async (name, text, reason) => {
    write(name, text);
    const refusal = await refusalOf(() => loadConfig(root));
    expect(refusal).toMatch(new RegExp(`^${name} cannot be read: `));
    expect(refusal).toContain(reason);
  });

  it("reports all errors at once", async () => {
    expect(await complaintsAbout("REVISONS: true\nROUTER_CACHE: soon\nMEDIA: { OPTIMIZE: { DPI: 0 } }")).toEqual([
      "REVISONS: unknown key, did you mean REVISIONS?",
      'ROUTER_CACHE: found "soon", expected a whole number of seconds from 0 to 31536000',
      "MEDIA.OPTIMIZE.DPI: found 0, expected a whole number from 1 to 9600",
    ]);
  });

  // oxfmt-ignore
  it.each([
    // the file                                              its errors
    ["revisions: true",                                     "revisions: unknown key, did you mean REVISIONS?"],
    ["DEFAULT_TEMPLATE: x.html",                            "DEFAULT_TEMPLATE: unknown key, did you mean RENDER.PAGE.DEFAULT_TEMPLATE?"],
    ["MEDIA: { THUMBNAIL: { WIDHT: 1 } }",                  "MEDIA.THUMBNAIL.WIDHT: unknown key, did you mean MEDIA.THUMBNAIL.WIDTH?"],
    ["MEDIA: { THUMBNAIL: { DEPTH_OF_FIELD: 1 } }",         "MEDIA.THUMBNAIL.DEPTH_OF_FIELD: unknown key, known here: FOLDER, WIDTH, HEIGHT"],
    ["TEMPLATES: {}",                                       /^TEMPLATES: unknown key, known here: LANGUAGE_CODE, /],
    ["MEDIA: 1",                                            "MEDIA: found 1, expected URL, OPTIMIZE, THUMBNAIL, RENDITIONS below it"],
    ["- 1",                                                 "the whole file: found [1], expected settings by name"],
    ["LANGUAGE_CODE: fr",                                   'LANGUAGE_CODE: found "fr", expected one of LANGUAGES (en, it)'],
    ["LANGUAGE_CODE: EN",                                   'LANGUAGE_CODE: found "EN", expected one of LANGUAGES (en, it)'],
    ["LANGUAGE_CODE: null",                                 "LANGUAGE_CODE: found null, expected a language code such as en or pt-br"],
    ["LANGUAGES: {}",                                       "LANGUAGES: found {}, expected at least one language, such as { en: English, it: Italiano }"],
    ["LANGUAGES: { en: English, e: E }",                    'LANGUAGES: found "e", expected a language code such as en or pt-br'],
    ["LANGUAGES: { en: English, it: }",                     "LANGUAGES.it: found null, expected the language's name"],
    ["LANGUAGES: { en: English, EN: English }",             'LANGUAGES: found "EN", expected each language once'],
    ["BASE_URL: example.com",                               'BASE_URL: found "example.com", expected an address such as https://example.com or https://example.com/site, or null'],
    ["BASE_URL: https://example.com/?a=1",                  /^BASE_URL: /],
    ["BASE_PATH: site",                                     'BASE_PATH: found "site", expected a path such as /site'],
    ["BASE_URL: https://example.com/a\nBASE_PATH: /b",      'BASE_PATH: found "/b", expected the path of BASE_URL, /a, or none'],
    ["BASE_URL: https://me:secret@example.com",             /^BASE_URL: /],
    ["APPEND_SLASH: yes",                                   'APPEND_SLASH: found "yes", expected true or false'],
    ["PAGINATION: { WORDS: [page] }",                       /^PAGINATION\.WORDS: .*expected a word by language/],
    ["PAGINATION: { WORDS: { it: Una Pagina } }",           /^PAGINATION\.WORDS\.it: .*expected a language code with a word/],
    ["PAGINATION: { WORDS: { it: { tags: temi } } }",       /^PAGINATION\.WORDS\.it: .*with words for page, tag and author/],
    ["PAGINATION: { WORDS: { it: { tag: page } } }",        /^PAGINATION\.WORDS\.it: .*expected different words/],
    ["REVISIONS: 1",                                        "REVISIONS: found 1, expected true or false"],
    ["ROUTER_CACHE: 1.5",                                   /^ROUTER_CACHE: found 1\.5, /],
    ["TRUSTED_PROXIES: 10.0.0.1",                           'TRUSTED_PROXIES: found "10.0.0.1", expected a list'],
    ["TRUSTED_PROXIES: [10.0.0.0/33]",                      'TRUSTED_PROXIES.0: found "10.0.0.0/33", expected an IP address or network, such as 10.0.0.0/8'],
    ["ALLOWED_HOSTS: [a.example, 'b.example:8000']",        'ALLOWED_HOSTS.1: found "b.example:8000", expected a host name without port; a dot before it covers its subdomains'],
    ["ALLOWED_HOSTS: ['*']",                                /^ALLOWED_HOSTS\.0: /],
    ["TRUSTED_ORIGINS: ['*']",                              /^TRUSTED_ORIGINS\.0: /],
    ["PREVIEW: { SITES: [https://a.example] }",             'PREVIEW.SITES.0: found "https://a.example", expected URL and PATH'],
    ["PREVIEW: { SITES: [{ URL: '*' }] }",                  /^PREVIEW\.SITES\.0\.URL: found "\*", expected an address without a path/],
    ["PREVIEW: { SITES: [{ URL: 'https://a.example/x' }] }", /^PREVIEW\.SITES\.0\.URL: /],
    ["PREVIEW: { SITES: [{ URL: 'https://a.example; *' }] }", /^PREVIEW\.SITES\.0\.URL: /],
    ["PREVIEW: { SITES: [{ URL: 'https://a.example', PATH: 'x' }] }", /^PREVIEW\.SITES\.0\.PATH: found "x", expected a path such as \/site/],
    ["PREVIEW: { SITES: [{ URL: 'https://a.example', PORT: 1 }] }", /^PREVIEW\.SITES\.0\.PORT: found 1, expected only URL and PATH/],
    ["RENDER: { PAGE: { DEFAULT_TEMPLATE: ../x.html } }",   /^RENDER\.PAGE\.DEFAULT_TEMPLATE: found "\.\.\/x\.html", expected a relative path/],
    ["RENDER: { PAGE: { INJECT_CONTEXT: /etc/x.js } }",     /^RENDER\.PAGE\.INJECT_CONTEXT: /],
    ["RENDER: { PAGE: { INJECT_CONTEXT: a/../../x.js } }",  /^RENDER\.PAGE\.INJECT_CONTEXT: /],
    ["API: { ALIASES: [api] }",                             'API.ALIASES.0: found "api", expected a path from the root, such as /api/camomilla'],
    ["API: { MAX_BODY: 12 }",                               "API.MAX_BODY: found 12, expected a whole number of bytes from 1024 to 2147483647"],
    ["MEDIA: { URL: /media }",                              'MEDIA.URL: found "/media", expected a path that begins and ends with a slash, such as /media/'],
    ["MEDIA: { URL: 'https://cdn.example.org/media' }",     'MEDIA.URL: found "https://cdn.example.org/media", expected an address whose path ends with a slash, such as https://cdn.example.org/media/'],
    ["MEDIA: { URL: 'https://cdn.example.org/' }",          /^MEDIA\.URL: /],
    ["MEDIA: { URL: 'https://a:b@cdn.example.org/media/' }", /^MEDIA\.URL: /],
    ["MEDIA: { URL: 'https://cdn.example.org/media/?a=1' }", /^MEDIA\.URL: /],
    ["MEDIA: { URL: / }",                                   /^MEDIA\.URL: /],
    ["MEDIA: { RENDITIONS: { FOLDER: '' } }",               /^MEDIA\.RENDITIONS\.FOLDER: /],
    ["MEDIA: { RENDITIONS: { FOLDER: .git } }",             /^MEDIA\.RENDITIONS\.FOLDER: /],
    ["MEDIA: { RENDITIONS: { AVIF_EFFORT: 10 } }",          /^MEDIA\.RENDITIONS\.AVIF_EFFORT: found 10, .* 0 to 9$/],
  ])("%s", async (yaml, complaint) => {
    expect(await complaintsAbout(yaml)).toEqual([typeof complaint === "string" ? complaint : expect.stringMatching(complaint)]);
  });

  // oxfmt-ignore
  it.each([
    ["[{ name: a, width: 0, format: webp }]",           "0.width: found 0, expected a whole number of pixels from 1 to 16383"],
    ["[{ name: a, width: 9, format: gif }]",            '0.format: found "gif", expected one of webp, avif, jpeg, png, original'],
    ["[{ name: a/b, width: 9, format: png }]",          '0.name: found "a/b", expected letters, digits, - and _'],
    ["[{ name: a, width: 9, format: png, crop: 1 }]",   "0.crop: found 1, expected only name, width and format"],
    ["[{ name: a, width: 9, format: png }, { name: A, width: 8, format: png }]", '1.name: found "A", expected each name once'],
    ["[small]",                                         '0: found "small", expected name, width and format'],
  ])("variants %s", async (list, complaint) => {
    expect(await complaintsAbout(`MEDIA: { RENDITIONS: { VARIANTS: ${list} } }`)).toEqual([`MEDIA.RENDITIONS.VARIANTS.${complaint}`]);
  });

  it("treats __proto__ as an unknown key", async () => {
    expect(await complaintsAbout("__proto__: { REVISIONS: false }")).toEqual([
      expect.stringMatching(/^__proto__: unknown key/),
    ]);
  });

  it("normalises addresses", async () => {
    write(
      "cms.config.yaml",
      "BASE_URL: https://Example.com/\nALLOWED_HOSTS: [Example.com, .example.org, '[::1]']\nAPI: { ALIASES: [/api/camomilla/] }\n",
    );
    const config = await loadConfig(root);
    expect(config.BASE_URL).toBe("https://example.com");
    expect(config.ALLOWED_HOSTS).toEqual(["example.com", ".example.org", "[::1]"]);
    expect(config.API.ALIASES).toEqual(["/api/camomilla"]);
  });
});

describe("findRoot", () => {
  it("finds the nearest folder upwards", () => {
    const inner = join(root, "content", "pages");
    mkdirSync(inner, { recursive: true });
    mkdirSync(join(inner, "cms.config.yaml")); // a folder with that name does not count
    write("cms.config.json", "{}");
    expect(findRoot(inner)).toBe(root);
    expect(findRoot(root)).toBe(root);
  });

  it("finds nothing outside of a site", () => {
    expect(findRoot(root)).toBeUndefined();
  });
});

describe("publicSettings", () => {
  it("has the settings for templates only", () => {
    const config = defaultConfig({ BASE_URL: "https://example.com" });
    expect(publicSettings(config)).toEqual({
      LANGUAGE_CODE: "en",
      LANGUAGES: config.LANGUAGES,
      TIME_ZONE: null,
      SITE_NAME: null,
      BASE_URL: "https://example.com",
      BASE_PATH: "",
      APPEND_SLASH: true,
      PAGINATION: { WORDS: {} },
      MEDIA: { URL: "/media/" },
      SITE_SEARCH: false,
    });
  });
});
