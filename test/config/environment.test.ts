/** Settings from the environment: names, values, precedence, errors. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { explainConfig, loadConfig, SETTINGS, type Config } from "../../src/config.ts";
import { OTHER_VARIABLES, variableOf } from "../../src/config/environment.ts";

function siteWith(yaml = ""): string {
  const root = mkdtempSync(join(tmpdir(), "cms-environment-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "cms.config.yaml"), yaml);
  return root;
}

const load = (environment: NodeJS.ProcessEnv, yaml = ""): Promise<Config> => loadConfig(siteWith(yaml), environment);

async function errorsOf(environment: NodeJS.ProcessEnv, yaml = ""): Promise<string[]> {
  const error: unknown = await load(environment, yaml).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "setup" });
  return (error as Error).message.split("\n  ").slice(1);
}

describe("variables", () => {
  it("are one for each setting, and none of them is that of a command", () => {
    const all = SETTINGS.map(({ path }) => variableOf(path));
    expect(new Set([...all, ...Object.keys(OTHER_VARIABLES)]).size).toBe(
      all.length + Object.keys(OTHER_VARIABLES).length,
    );
    for (const variable of all) expect(variable).toMatch(/^CMS_[A-Z_]+$/);
  });

  it.each(SETTINGS.map((setting) => [variableOf(setting.path), setting] as const))(
    "%s takes its default as JSON",
    async (variable, { fallback }) => {
      const defaults = await load({});
      const { explained } = defaults;
      expect({ ...(await load({ [variable]: JSON.stringify(fallback) })), explained }).toEqual(defaults);
    },
  );
});

// oxfmt-ignore
it.each<[variable: string, text: string, value: unknown]>([
  ["CMS_BASE_URL",                    "https://example.org",              "https://example.org"],
  ["CMS_BASE_URL",                    "null",                             null],
  ["CMS_BASE_PATH",                   "/site/",                           "/site"],
  ["CMS_ROUTER_CACHE",                "60",                               60],
  ["CMS_APPEND_SLASH",                "false",                            false],
  ["CMS_SYNC__BRANCH",                "2026",                             "2026"],
  ["CMS_SYNC__BRANCH",                "true",                             "true"],
  ["CMS_MEDIA__OPTIMIZE__MAX_WIDTH",  "3000",                             3000],
  ["CMS_MEDIA__THUMBNAIL__FOLDER",    '"small"',                          "small"],
  ["CMS_ALLOWED_HOSTS",               '["example.org", ".example.com"]',  ["example.org", ".example.com"]],
  ["CMS_LANGUAGES",                   '{ "de": "Deutsch", "en": "English" }', [{ id: "de", name: "Deutsch" }, { id: "en", name: "English" }]],
  ["CMS_HOOKS",                       '[{ "URL": "https://example.org/" }]', [{ URL: "https://example.org/", SECRET: null, EVENTS: ["change", "publish", "schedule", "media", "conflict", "comment", "review"], PRIVATE: false }]],
])("%s=%s", async (variable, text, value) => {
  let found: unknown = await load({ [variable]: text });
  for (const key of variable.slice("CMS_".length).split("__")) found = (found as Record<string, unknown>)[key];
  expect(found).toEqual(value);
});

describe("precedence", () => {
  it("is variable, settings file, default, for each setting by itself", async () => {
    const config = await load({ CMS_MEDIA__OPTIMIZE__DPI: "72" }, "MEDIA: { OPTIMIZE: { DPI: 96, MAX_WIDTH: 500 } }");
    expect(config.MEDIA.OPTIMIZE).toMatchObject({ DPI: 72, MAX_WIDTH: 500, MAX_HEIGHT: 1400 });
  });

  it("replaces a list as a whole, and adds to groups without keys", async () => {
    const config = await load(
      { CMS_ALLOWED_HOSTS: '["b.org"]', CMS_SYNC__EVERY: "5" },
      'ALLOWED_HOSTS: ["a.org"]\nSYNC:\n',
    );
    expect([config.ALLOWED_HOSTS, config.SYNC.EVERY]).toEqual([["b.org"], 5]);
  });

  it("takes an empty variable as one that is not set", async () => {
    expect(await load({ CMS_BASE_URL: "", CMS_ROUTER_CACHE: "", CMS_MEDIA: "" })).toEqual(await load({}));
  });

  it("is explained for each setting", async () => {
    const all = await explainConfig(siteWith("ROUTER_CACHE: 0\nMEDIA: { URL: https://cdn.example.org/m/ }"), {
      CMS_SYNC__EVERY: "5",
      CMS_ROUTER_CACHE: "60",
    });
    expect(all.map(({ path }) => path)).toEqual(SETTINGS.map(({ path }) => path));
    expect(all.filter(({ from }) => from !== null)).toEqual([
      { path: "ROUTER_CACHE", value: 60, from: "CMS_ROUTER_CACHE" },
      { path: "SYNC.EVERY", value: 5, from: "CMS_SYNC__EVERY" },
      { path: "MEDIA.URL", value: "https://cdn.example.org/m/", from: "cms.config.yaml" },
    ]);
  });
});

// oxfmt-ignore
it("takes the variables that settings name as sources of secrets for no settings", async () => {
  const environment = { CMS_SYNC_SECRET: "s", CMS_HOOK_SECRET: "t" };
  const yaml =
    "SYNC: { SECRET: env:CMS_SYNC_SECRET }\nHOOKS: [{ URL: https://example.org/, SECRET: env:CMS_HOOK_SECRET }]";
  expect((await load(environment, yaml)).SYNC.SECRET).toBeDefined();
  expect(await errorsOf(environment)).toEqual([
    "CMS_SYNC_SECRET: there is no such setting, did you mean CMS_SYNC__SECRET?",
  ]);
});

it.each<[environment: NodeJS.ProcessEnv, yaml: string, error: string]>([
  [
    { CMS_ROUTER_CACHE: "soon" },
    "",
    'CMS_ROUTER_CACHE (ROUTER_CACHE): found "soon", expected a whole number of seconds from 0 to 31536000',
  ],
  [{ CMS_APPEND_SLASH: "yes" }, "", 'CMS_APPEND_SLASH (APPEND_SLASH): found "yes", expected true or false'],
  [
    { CMS_ALLOWED_HOSTS: "example.org" },
    "",
    'CMS_ALLOWED_HOSTS (ALLOWED_HOSTS, as JSON): found "example.org", expected a list',
  ],
  [
    { CMS_ALLOWED_HOSTS: '["a b"]' },
    "",
    'CMS_ALLOWED_HOSTS (ALLOWED_HOSTS.0, as JSON): found "a b", expected a host name without port; a dot before it covers its subdomains',
  ],
  [
    { CMS_LANGUAGE_CODE: "fr" },
    "",
    'CMS_LANGUAGE_CODE (LANGUAGE_CODE): found "fr", expected one of LANGUAGES (en, it)',
  ],
  [{ CMS_MEDIA__URI: "/m/" }, "", "CMS_MEDIA__URI: there is no such setting, did you mean CMS_MEDIA__URL?"],
  [{ CMS_MEDIA: "{}" }, "", "CMS_MEDIA: there is no such setting, did you mean CMS_MEDIA__URL?"],
  [{ CMS_BASEURL: "https://a.org" }, "", "CMS_BASEURL: there is no such setting, did you mean CMS_BASE_URL?"],
  [{ CMS_SYNC__NOTHING_LIKE_IT: "1" }, "", "CMS_SYNC__NOTHING_LIKE_IT: there is no such setting"],
  [{ CMS_MEDIA__URL: "/m/" }, "MEDIA: 1", "MEDIA: found 1, expected URL, OPTIMIZE, THUMBNAIL, RENDITIONS below it"],
  [{ CMS_ROUTER_CACHE: "1" }, "- 1", "the whole file: found [1], expected settings by name"],
])("%j over %j is refused", async (environment, yaml, error) => {
  expect(await errorsOf(environment, yaml)).toEqual([error]);
});

it("does not show a secret that stands where it must not", async () => {
  const [error] = await errorsOf({ CMS_SYNC__SECRET: "open sesame" });
  expect(error).toBe(
    "CMS_SYNC__SECRET (SYNC.SECRET): found a value that is not shown, expected env:NAME or file:PATH, which say where the secret is, or null",
  );
});

it("leaves variables alone that are not meant for it", async () => {
  const kubernetes = {
    CMS_PORT: "tcp://10.0.0.1:8000",
    CMS_PORT_8000_TCP: "tcp://10.0.0.1:8000",
    CMS_PORT_8000_TCP_ADDR: "10.0.0.1",
    CMS_SERVICE_HOST: "10.0.0.1",
    CMS_SERVICE_PORT: "8000",
    CMS_SERVICE_PORT_HTTP: "8000",
  };
  expect(await load({ ...kubernetes, CMS_TOKEN: "x", CMS_PASSWORD: "y", CMS_STATE_DIR: "/z" })).toEqual(await load({}));
});
