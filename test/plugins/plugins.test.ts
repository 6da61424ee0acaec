/** What plugins can add, and that a plugin that fails harms nothing but itself. */
import { describe, expect, it, onTestFinished } from "vitest";
import { CmsError, definePlugin, type Plugin } from "../../src/index.ts";
import { defaultConfig, loadConfig, withExtensions } from "../../src/config.ts";
import { silentLog } from "../../src/env.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { gitSite } from "../store/git/git-site.ts";

const BY = { name: "Anna", email: "anna@example.org" };
const fail = (): never => {
  throw new Error("out of ideas");
};
const plugin = (parts: Omit<Plugin, "name">): Plugin => definePlugin({ name: "fickle", ...parts });
const openSite = (parts: Omit<Plugin, "name">, files: Record<string, string> = {}) =>
  memorySite(files, { plugins: [plugin(parts)] });

describe("templates", () => {
  const files = {
    "content/pages/about.yaml": "translations:\n  en: {title: About, published_at: 2020-01-01T00:00:00Z}\n",
  };

  it("have the filters and globals of plugins; one that throws prints nothing, and is named in the log", async () => {
    const site = await openSite(
      { filters: { shout: (text) => `${String(text)}!`, broken: fail }, globals: { year: 2026, pick: fail } },
      files,
    );
    const { environment } = site.cms.templates;
    const text = "{{ 'a' | shout }} {{ year }} [{{ 'a' | broken }}] [{{ pick() }}]";
    expect(environment.renderString(text, {})).toBe("a! 2026 [] []");
    expect(site.logged).toEqual([
      'The plugin "fickle" failed in filters.broken: out of ideas',
      'The plugin "fickle" failed in globals.pick: out of ideas',
    ]);
  });
});

describe("computed keys", () => {
  it("are null where the plugin throws", async () => {
    const { cms, logged } = await openSite({ computed: { mood: fail } });
    expect(await cms.pages.create({ title: "About" }, { by: BY })).toMatchObject({ title: "About", mood: null });
    expect(logged[0]).toMatch(/^The plugin "fickle" failed in computed\.mood of page \d+: out of ideas$/);
  });
});

describe("hooks of pages", () => {
  const pages: Plugin["pages"] = {
    page: {
      beforeSave: ({ translations }) => {
        const title = translations.en?.title;
        return title?.endsWith(" ") === false && title.includes("  ")
          ? { title_en: title.replace(/ +/g, " ") }
          : undefined;
      },
      validate: ({ translations }): Record<string, string[]> =>
        translations.en?.title?.includes("lorem") ? { title_en: ["Write a title."] } : {},
    },
  };

  it("normalise, and refuse with messages by field: live values and drafts, of their model alone", async () => {
    const { cms } = await openSite({ pages });
    const about = await cms.pages.create({ title: "About  us" }, { by: BY });
    expect(about).toMatchObject({ title: "About us", permalink: "/about-us" });
    const refused = { code: "invalid", fields: { title_en: ["Write a title."] } };
    await expect(cms.pages.update(about.id, { title: "lorem" }, { by: BY })).rejects.toMatchObject(refused);
    await expect(cms.pages.saveDraft(about.id, { title: "lorem" }, { by: BY })).rejects.toMatchObject(refused);
    expect(await cms.pages.get(about.id)).toMatchObject({ title: "About us", has_draft: false });
    expect(await cms.articles.create({ title: "lorem" }, { by: BY })).toMatchObject({ title: "lorem" });
  });

  it.each<[string, Plugin["pages"]]>([
    ["beforeSave of page", { "*": { beforeSave: fail } }],
    ["validate of page", { page: { validate: fail } }],
    ["validate of page", { page: { validate: (async () => ({})) as never } }],
    ["beforeSave", { page: { beforeSave: () => ({ parent_page: 7 }) } }],
    ["beforeSave", { page: { beforeSave: () => ({ title_en: [] }) } }],
    ["validate of page", { page: { validate: () => "wrong" as never } }],
  ])("that fail in %s refuse the write with 500, naming the plugin; nothing is written", async (part, hooks) => {
    const { cms, repo, ask, logged } = await openSite({ pages: hooks });
    const before = (await repo.state()).head;
    const answer = await ask("POST", "api:pages/", { as: "superuser", body: { title: "About" } });
    expect([answer.status, answer.body]).toEqual([500, { detail: 'The plugin "fickle" failed.' }]);
    expect(logged.at(-1)).toContain(`The plugin "fickle" failed in ${part}`);
    expect((await repo.state()).head).toBe(before);
    expect(await cms.pages.list()).toEqual([]);
  });
});

describe("routes", () => {
  const routes: Plugin["routes"] = [
    {
      method: "GET",
      path: "titles/:lang",
      access: "public",
      handle: async ({ params }, { cms }) =>
        (await cms.pages.list({ lang: params.lang ?? "" })).map(({ title }) => title),
    },
    {
      method: "POST",
      path: "echo",
      access: "staff",
      handle: async (request) => ({ by: request.author().name, body: await request.body() }),
    },
    {
      method: "GET",
      path: "text",
      access: "public",
      handle: () => new Response("Ahoy", { status: 201, headers: { "x-a": "b" } }),
    },
    {
      method: "GET",
      path: "gone",
      access: "public",
      handle: () => {
        throw new CmsError("not_found", "No ship.");
      },
    },
    { method: "GET", path: "broken", access: "public", handle: fail },
    { method: "DELETE", path: "nothing", access: { permission: "cms.delete_page" }, handle: () => undefined },
  ];

  it("answer below the plugin's own path, with access and errors as in the API", async () => {
    const { cms, ask, logged } = await openSite({ routes });
    await cms.pages.create({ title: "Sea", title_it: "Mare" }, { by: BY });
    const get = async (method: string, path: string, options = {}) => {
      const { status, text } = await ask(method, `api:plugins/fickle/${path}`, options);
      return [status, text];
    };
    expect(await get("GET", "titles/it/")).toEqual([200, '["Mare"]']);
    expect(await get("GET", "titles/xx")).toEqual([400, expect.stringContaining("xx")]);
    expect(await get("POST", "echo", { body: { a: 1 } })).toEqual([401, expect.anything()]);
    expect(await get("POST", "echo", { body: { a: 1 }, as: "reader" })).toEqual([403, expect.anything()]);
    expect(await get("POST", "echo", { body: { a: 1 }, as: "staff" })).toEqual([200, '{"by":"staff","body":{"a":1}}']);
    expect(await get("GET", "text")).toEqual([201, "Ahoy"]);
    expect(await get("GET", "gone")).toEqual([404, '{"detail":"No ship."}']);
    expect(await get("DELETE", "nothing", { as: "superuser" })).toEqual([204, ""]);
    expect(await get("GET", "absent")).toEqual([404, expect.anything()]);
    expect(await get("GET", "broken")).toEqual([500, '{"detail":"The plugin \\"fickle\\" failed."}']);
    expect(logged.at(-1)).toContain('The plugin "fickle" failed in GET broken: out of ideas');
  });

  it("are in the OpenAPI description of their site, and of no other", async () => {
    const openapi = async ({ ask }: { readonly ask: MemorySite["ask"] }) =>
      (await ask("GET", "api:openapi?format=openapi-json")).body.paths;
    const paths = await openapi(await openSite({ routes }));
    expect(paths["/api/cms/plugins/fickle/titles/{lang}/"].get).toMatchObject({
      description: "For anyone.",
      parameters: expect.arrayContaining([expect.objectContaining({ name: "lang", in: "path", required: true })]),
    });
    expect(paths["/api/cms/plugins/fickle/echo/"].post).toMatchObject({
      description: "For staff.",
      security: [{ token: [] }, { session: [] }],
    });
    expect(Object.keys(paths).filter((path) => path.includes("fickle"))).toHaveLength(routes.length);
    expect(Object.keys(await openapi(await openSite({})))).not.toContainEqual(expect.stringContaining("fickle"));
  });
});

describe("listeners", () => {
  it("hear of commits in order, after the write, which neither waits for them nor fails with them", async () => {
    const heard: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { cms, logged, repo } = await openSite({
      async afterCommit({ id, message, paths }, { cms: library }) {
        await gate;
        heard.push(`${id} ${message.split("\n")[0]} ${paths.join()} ${(await library.tags.list()).length}`);
        throw new Error("out of ideas");
      },
    });
    await cms.tags.create({ name: "Sea" }, { by: BY });
    const head = (await repo.state()).head ?? "";
    await cms.tags.create({ name: "Sky" }, { by: BY });
    expect(heard).toEqual([]); // both writes are done while the listener of the first still waits
    release();
    await cms.close();
    expect(heard).toEqual([
      `${head} Create tag "Sea" content/tags/sea.yaml 2`,
      expect.stringContaining('Create tag "Sky" content/tags/sky.yaml'),
    ]);
    expect(logged).toEqual([
      `The plugin "fickle" failed in afterCommit of ${head.slice(0, 10)}: out of ideas`,
      expect.stringContaining('The plugin "fickle" failed in afterCommit'),
    ]);
  });
});

describe("the setting `plugins`", () => {
  const text = { type: "string" };
  const invalid: [string, unknown][] = [
    ["plugins: expected a list of plugins", { name: "a" }],
    ["plugins.0: expected a plugin, as definePlugin returns it", [7]],
    ["plugins.0.name: expected small letters", [{ name: "A" }]],
    ['plugin "a": filter: expected one of name, fieldKinds', [{ name: "a", filter: {} }]],
    ['plugin "a": filters.x: expected a function', [{ name: "a", filters: { x: 1 } }]],
    [
      'plugin "a": routes.0.access: expected public',
      [{ name: "a", routes: [{ method: "GET", path: "x", handle: fail }] }],
    ],
    ['plugin "a": the name a is taken by the plugin "a"', [{ name: "a" }, { name: "a" }]],
    [
      'plugin "b": computed.x is taken by the plugin "a"',
      [
        { name: "a", computed: { x: fail } },
        { name: "b", computed: { x: fail } },
      ],
    ],
    ['Plugin "a": computed.title: pages have a field of this name.', [{ name: "a", computed: { title: fail } }]],
    [
      'Plugin "a": fieldKinds.text: there is a field kind of this name.',
      [{ name: "a", fieldKinds: { text: { schema: text, message: "" } } }],
    ],
    [
      'Plugin "a": fieldKinds.odd.schema cannot be used',
      [{ name: "a", fieldKinds: { odd: { schema: { type: "odd" }, message: "" } } }],
    ],
  ];

  it.each(invalid)("is refused at the start: %s", (message, plugins) => {
    expect(() => withExtensions(defaultConfig({ plugins: plugins as Plugin[] }), silentLog)).toThrow(message);
  });

  it.each<[string, Record<string, string>, string]>([
    ["[plugins/none.ts]", {}, "the plugin plugins/none.ts cannot be loaded"],
    ["[../loud.ts]", {}, "../loud.ts is not the path of a .js, .mjs or .ts file below the site's root"],
    [
      "[wrong.mjs]",
      { "wrong.mjs": "export default { name: 'wrong', filter: {} };" },
      'plugin "wrong": filter: expected',
    ],
  ])("names the module that is not a plugin: %s", async (plugins, files, message) => {
    const { dir, remove } = gitSite({ "cms.config.yaml": `plugins: ${plugins}\n`, ...files });
    onTestFinished(remove);
    await expect(loadConfig(dir)).rejects.toThrow(message);
  });
});
