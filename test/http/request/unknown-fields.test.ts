/**
 * Unknown keys are refused in every write, at every depth with a schema; every answer can be written
 * back.
 */
import { describe, expect, it } from "vitest";
import { API_ROUTES } from "../../../src/http/routes/api-routes.ts";
import { ROUTER_ROUTES } from "../../../src/http/public/routers.ts";
import { PAGE_FIELDS } from "../../../src/model/page/page.ts";
import { PAGE_READ_ONLY } from "../../../src/model/page/page-input.ts";
import { memorySite, type MemorySite } from "../../site.ts";
import { signIn } from "../routes/accounts/sign-in.ts";

const EVENT = `parent_page_field: programme
schema:
  - { name: seats, kind: integer }
  - { name: talks, kind: list, children: [{ name: title }] }
  - { name: more, kind: permalink }
  - { name: next, kind: ref, target_model: cms.Page }
`;
const TYPE = {
  key: "team",
  name: "Team",
  schema: [
    { name: "name", translated: true },
    { name: "photo", kind: "media" },
    { name: "links", kind: "list", children: [{ name: "to", kind: "permalink" }] },
  ],
};
const FILE =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nText\r\n';
const END = "--x--\r\n";
const field = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const MULTIPART = { "content-type": "multipart/form-data; boundary=x" };
const meant = (name: string) => [`Unknown field. Did you mean \`${name}\`?`];
const NO_LANGUAGE = ["Unknown field. The site has no language `fr`, only `en`, `it`."];

type Ids = Readonly<Record<string, number>>;

/** A site with one record of each kind, with all its references. */
async function full(settings = {}): Promise<{ site: MemorySite; ids: Ids }> {
  const site = await memorySite({ "content/page-models/event.yaml": EVENT }, settings);
  const make = async (path: string, body: object): Promise<number> => {
    const answer = await site.ask("POST", `api:${path}/`, { as: "superuser", body });
    expect([path, answer.status, answer.text]).toEqual([path, 201, expect.anything()]);
    return answer.body.id;
  };
  const media = (await site.ask("POST", "api:media/", { as: "staff", body: FILE + END, headers: MULTIPART })).body
    .id as number;
  const tag = await make("tags", { name: "News" });
  const page = await make("pages", {
    title: "About",
    title_it: "Chi siamo",
    og_image: media,
    meta: { any: "thing" },
    template_data: { free: [1] },
  });
  const link = { link_type: "RE", url_node: page };
  const user = await make("users", { username: "anna", password: "correct horse" });
  const type = await make("meta-types", TYPE);
  await make("block-types", { name: "spring", preview: "a b.jpg", schema: [{ name: "words", kind: "text" }] });
  return {
    site,
    ids: {
      media,
      tag,
      page,
      user,
      type,
      article: await make("articles", {
        title: "First",
        content: "Text",
        tags: [tag],
        highlight_image: media,
        author: user,
      }),
      event: await make("pages", {
        model: "event",
        title: "Night",
        programme: page,
        template_data: { seats: 3, talks: [{ title: "A" }], more: link, next: page },
      }),
      menu: await make("menus", {
        key: "main",
        nodes: [{ title: "About", link, meta: { icon: "x" }, nodes: [{ title: "Out", link: { static: "/out" } }] }],
      }),
      content: await make("contents", { identifier: "hero", content: "Text", object_id: page, content_type: 1 }),
      folder: await make("media-folder", { title: "Pictures" }),
      instance: await make("meta-instances", {
        meta_type: type,
        data: { name: { en: "Anna" }, photo: media, links: [{ to: link }] },
      }),
    },
  };
}

type Row = readonly [method: string, path: string, body: object, errors: object];

const ROWS: readonly Row[] = [
  ["POST", "pages/", { titel: "x" }, { titel: meant("title") }],
  [
    "POST",
    "pages/",
    { title: 7, titel: "x", ordering: "many" },
    { titel: meant("title"), ordering: expect.anything() },
  ],
  ["POST", "pages/", { title_fr: "x" }, { title_fr: NO_LANGUAGE }],
  ["POST", "pages/", { model: "event", parent: 1 }, { parent: meant("parent_page") }],
  ["POST", "pages/", { model: "event", template_data: { seat: 1 } }, { template_data: { seat: meant("seats") } }],
  ["PATCH", "pages/{page}/", { translations: { fr: { title: "x" } } }, { translations: { fr: NO_LANGUAGE } }],
  [
    "PUT",
    "pages/{page}/",
    { translations: { it: { titel: "x" } } },
    { translations: { it: { titel: meant("title") } } },
  ],
  ["PATCH", "pages/{page}/", { content: "of articles" }, { content: ["Unknown field."] }],
  [
    "PATCH",
    "pages/{event}/",
    { template_data_it: { talks: [{ title: "A" }, { titel: "B" }] } },
    { template_data_it: { talks: { 1: { titel: meant("title") } } } },
  ],
  [
    "PATCH",
    "pages/{event}/",
    { template_data: { more: { link_type: "RE", url_nod: 1 } } },
    { template_data: { more: { url_nod: meant("url_node") } } },
  ],
  ["PATCH", "pages/{page}/draft/", { titel: "x" }, { titel: meant("title") }],
  ["POST", "pages/{page}/preview/", { titel: "x" }, { titel: meant("title") }],
  ["POST", "pages/{event}/preview/", { template_data: { seat: 1 } }, { template_data: { seat: meant("seats") } }],
  ["POST", "pages/{page}/render/", { titel: "x" }, { titel: meant("title") }],
  ["PUT", "pages/{page}/draft/", { translations: { fr: {} } }, { translations: { fr: NO_LANGUAGE } }],
  ["PUT", "pages/{event}/draft/", { template_data: { seat: 1 } }, { template_data: { seat: meant("seats") } }],
  ["POST", "pages/{page}/publish/", { coment: "x" }, { coment: meant("comment") }],
  ["POST", "pages/{page}/schedule/", { publish_at: "2027-01-01T00:00:00Z", lang: "it" }, { lang: ["Unknown field."] }],
  ["POST", "pages/{page}/discard-draft/", { lang: "it" }, { lang: ["Unknown field."] }],
  ["POST", "pages/{page}/trash/", { children: true }, { children: ["Unknown field."] }],
  ["POST", "pages/{page}/restore/", { children: true }, { children: ["Unknown field."] }],
  ["POST", "pages/update_order/", { startId: 1, endID: 2 }, { endID: meant("endId") }],
  ["POST", "articles/", { title: "x", tag: [1] }, { tag: meant("tags") }],
  ["PATCH", "articles/{article}/", { conten: "x" }, { conten: meant("content") }],
  ["POST", "tags/", { nome: "x", name: "y" }, { nome: meant("name") }],
  ["PATCH", "tags/{tag}/", { name_fr: "x" }, { name_fr: NO_LANGUAGE }],
  ["POST", "menus/", { keys: "x" }, { keys: meant("key") }],
  [
    "PATCH",
    "menus/{menu}/",
    { nodes: [{ titel: "x", link: { static: "/" } }] },
    { nodes: [{ titel: meant("title") }] },
  ],
  [
    "PATCH",
    "menus/{menu}/",
    { translations: { en: { nodes: [{ title: "x", link: { statik: "/" } }] } } },
    { translations: { en: { nodes: [{ link: { statik: meant("static") } }] } } },
  ],
  [
    "PATCH",
    "menus/{menu}/",
    { nodes: [{ title: "x", link: {}, nodes: [{ title: "y", link: {}, node: [] }] }] },
    { nodes: [{ nodes: [{ node: meant("nodes") }] }] },
  ],
  ["POST", "contents/", { identifier: "x", contents: "y" }, { contents: meant("content") }],
  ["PATCH", "contents/{content}/", { content_fr: "y" }, { content_fr: NO_LANGUAGE }],
  ["POST", "contents/get-or-create/", { identifier: "x", page: 3 }, { page: ["Unknown field."] }],
  ["PATCH", "contents/{content}/djsuperadmin/", { content: "x", contnet: "y" }, { contnet: meant("content") }],
  ["PATCH", "media/{media}/", { alt: "x" }, { alt: meant("alt_text") }],
  [
    "PATCH",
    "media/{media}/",
    { renditions_config: [{ name: "a", width: 10, format: "webp", height: 3 }] },
    { renditions_config: [{ height: ["Unknown field."] }] },
  ],
  ["POST", "media/{media}/regenerate-renditions/", { all: true }, { all: ["Unknown field."] }],
  ["POST", "media-folder/", { title: "x", parent: 3 }, { parent: ["Unknown field."] }],
  ["PATCH", "media-folders/{folder}/", { titel: "x" }, { titel: meant("title") }],
  ["POST", "block-types/", { name: "x", lable: "x" }, { lable: meant("label") }],
  [
    "PATCH",
    "block-types/spring/",
    { schema: [{ name: "a" }, { name: "b", kind: "group", children: [{ name: "c", require: true }] }] },
    { schema: [{}, { children: [{ require: meant("required") }] }] },
  ],
  [
    "POST",
    "meta-types/",
    { key: "x", name: "x", schema: [{ name: "a", type: "text" }] },
    { schema: [{ type: meant("kind") }] },
  ],
  [
    "PATCH",
    "meta-types/{type}/",
    { schema: [{ name: "a" }, { name: "b", kind: "group", children: [{ name: "c", require: true }] }] },
    { schema: [{}, { children: [{ require: meant("required") }] }] },
  ],
  ["POST", "meta-instances/", { meta_type: "{type}", data: {}, identifer: "x" }, { identifer: meant("identifier") }],
  ["PATCH", "meta-instances/{instance}/", { data: { nam: { en: "x" } } }, { data: { nam: meant("name") } }],
  [
    "PATCH",
    "meta-instances/{instance}/",
    { data: { name: { fr: "x" } } },
    { data: { name: { fr: expect.anything() } } },
  ],
  [
    "PATCH",
    "meta-instances/{instance}/",
    { data: { links: [{}, { too: 1 }] } },
    { data: { links: { 1: { too: meant("to") } } } },
  ],
  ["POST", "users/", { username: "b", password: "correct horse", mail: "b@example.org" }, { mail: meant("email") }],
  ["PATCH", "users/{user}/", { is_admin: true }, { is_admin: ["Unknown field."] }],
  ["PUT", "users/current/", { firstname: "x" }, { firstname: meant("first_name") }],
  ["POST", "users/{user}/kickout/", { reason: "x" }, { reason: ["Unknown field."] }],
  ["PUT", "permissions/1/", { nam: "x" }, { nam: meant("name") }],
  ["POST", "pages-router/publish-due", { dry_run: true }, { dry_run: ["Unknown field."] }],
];

const filled = (text: string, ids: Ids): string =>
  text.replace(/"?\{(\w+)\}"?/g, (_, name: string) => String(ids[name]));

/** With errors that are only found while the write is made. */
const WITH_OTHERS: readonly Row[] = [
  [
    "POST",
    "pages/",
    { titel: "x", permalink: "/foo", parent_page: 999 },
    {
      titel: meant("title"),
      permalink_en: [expect.stringContaining("automatic")],
      parent_page: expect.anything(),
    },
  ],
  ["PATCH", "pages/{page}/", { titel: "x", author: 999 }, { titel: meant("title"), author: expect.anything() }],
  [
    "PATCH",
    "pages/{page}/draft/",
    { titel: "x", parent_page: 999 },
    { titel: meant("title"), parent_page: expect.anything() },
  ],
];

describe("an unknown key", () => {
  it.each([...ROWS, ...WITH_OTHERS])("%s %s %j is 400 and changes nothing", async (method, path, body, errors) => {
    const { site, ids } = await full();
    const before = [site.cms.store.current.commit, await site.cms.accounts.store.list()];
    const answer = await site.ask(method, `api:${filled(path, ids)}`, {
      as: "superuser",
      body: JSON.parse(filled(JSON.stringify(body), ids)),
    });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(errors)]);
    expect([site.cms.store.current.commit, await site.cms.accounts.store.list()]).toEqual(before);
  });

  it.each([
    ["POST", "pages/", { title: "T" }],
    ["PATCH", "pages/{page}/", {}],
    ["PUT", "articles/{article}/", { title: "T" }],
    ["PATCH", "tags/{tag}/", {}],
    ["PATCH", "contents/{content}/", {}],
  ])("%s %s with `translations: null` is 400", async (method, path, body) => {
    const { site, ids } = await full();
    const sent = { ...body, translations: null };
    const { status, body: answer } = await site.ask(method, `api:${filled(path, ids)}`, {
      as: "superuser",
      body: sent,
    });
    expect([status, answer]).toEqual([400, { translations: [expect.any(String)] }]);
  });

  it.each([
    [field("titel", "x"), { titel: meant("title") }],
    [field("data", '{"alt_text_fr": "x"}'), { alt_text_fr: NO_LANGUAGE }],
  ])("is refused in a form with a file: %j", async (part, errors) => {
    const { site } = await full();
    const answer = await site.ask("POST", "api:media/", { as: "staff", body: FILE + part + END, headers: MULTIPART });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it.each(ROWS.slice(0, 4))(
    "%s %s %j is passed over below an alias root, and where the setting says so",
    async (method, path, body) => {
      const aliased = await memorySite(
        { "content/page-models/event.yaml": EVENT },
        { API: { ALIASES: ["/api/camomilla"] } },
      );
      const sent = { ...body, title: "T", ordering: 1 };
      expect((await aliased.ask(method, `/api/camomilla/${path}`, { as: "staff", body: sent })).status).toBe(201);
      expect((await aliased.ask(method, `api:${path}`, { as: "staff", body: sent })).status).toBe(400);
      const ignoring = await memorySite(
        { "content/page-models/event.yaml": EVENT },
        { API: { UNKNOWN_FIELDS: "ignore" } },
      );
      expect((await ignoring.ask(method, `api:${path}`, { as: "staff", body: sent })).status).toBe(201);
    },
  );

  it("saved in a draft below an alias root, does not prevent publishing the draft", async () => {
    const site = await memorySite({}, { API: { ALIASES: ["/api/camomilla"] } });
    const { id } = await site.page({ title: "T" }, ["en"]);
    await site.ask("PUT", `/api/camomilla/pages/${id}/draft/`, { as: "staff", body: { title: "U", titel: "x" } });
    expect(await site.api("POST", `pages/${id}/publish/`)).toMatchObject({ title: "U", has_draft: false });
  });
});

describe("answers can be written back unchanged", () => {
  it.each([
    "pages/{page}/",
    "pages/{event}/",
    "articles/{article}/",
    "tags/{tag}/",
    "menus/{menu}/",
    "contents/{content}/",
    "media/{media}/",
    "media-folder/{folder}/",
    "block-types/spring/",
    "meta-types/{type}/",
    "meta-instances/{instance}/",
    "users/{user}/",
    "users/current/",
    "permissions/1/",
  ])("%s", async (path) => {
    const { site, ids } = await full();
    const target = `api:${filled(path, ids)}`;
    const read = await site.ask("GET", target, { as: "superuser" });
    const before = [site.cms.store.current.commit, await site.cms.accounts.store.list()];
    for (const method of ["PUT", "PATCH"]) {
      const written = await site.ask(method, target, {
        as: "superuser",
        body: read.text,
        headers: { "content-type": "application/json" },
      });
      if (written.status === 405) continue;
      expect([method, written.status, written.text]).toEqual([method, 200, expect.anything()]);
      expect([site.cms.store.current.commit, await site.cms.accounts.store.list()]).toEqual(before);
    }
  });

  it("also for data older than its type", async () => {
    const { site, ids } = await full();
    await site.api("PATCH", `meta-types/${ids.type}/`, { schema: TYPE.schema.slice(1) });
    const read = await site.api("GET", `meta-instances/${ids.instance}/`);
    expect(read.data.name).toEqual({ en: "Anna" });
    await site.api("PUT", `meta-instances/${ids.instance}/`, read);
  });

  it("since all keys of a page payload are known", async () => {
    const { site, ids } = await full();
    // Payloads have it only where it is set.
    await site.api("PATCH", `pages/${ids.page}/`, { paginate: { of: "articles" } });
    const writable = PAGE_FIELDS.filter(({ only }) => only === undefined).map(({ name }) => name);
    const shown = Object.keys(await site.api("GET", `pages/${ids.page}/`));
    expect([...writable, ...PAGE_READ_ONLY, "translations"].sort()).toEqual([...shown, "model"].sort());
  });
});

/** The record of a resource that stands for `:id`; pages of a custom model are those of `event`. */
const RECORDS: Readonly<Record<string, string>> = {
  pages: "page",
  articles: "article",
  models: "event",
  menus: "menu",
  contents: "content",
  tags: "tag",
  media: "media",
  "media-folder": "folder",
  "media-folders": "folder",
  "meta-types": "type",
  "meta-instances": "instance",
  users: "user",
  threads: "thread",
};

/** Lists of ids, requests without a body, and signing in, where forms may have more fields. */
const TAKES_NO_KEYS = /\/(?:bulk_delete|open|new)$|^(?:sync|auth\/(?:logout|login|oidc\/:provider)|token-auth)$/;

it("is refused by every route whose body has keys", async () => {
  const { site, ids } = await full();
  await site.api("POST", "releases/", {
    name: "spring",
    items: [{ page: ids.page, action: "publish" }],
  });
  const asChief = async (path: string, body: object) =>
    (await site.ask("POST", `api:${path}/`, { as: "superuser", body })).body;
  const thread = await asChief("threads", { page: ids.page, text: "Right?" });
  const review = await asChief("reviews", { release: "spring" });
  const chief = await signIn(site, "chief", { is_superuser: true });
  const routes = [...API_ROUTES, ...ROUTER_ROUTES].filter(({ method }) => ["POST", "PUT", "PATCH"].includes(method));
  const passed: string[] = [];
  for (const { method, path } of routes) {
    if (TAKES_NO_KEYS.test(path)) continue;
    const [resource = ""] = path.split("/");
    const target = path
      .replace(":model", "event")
      .replace(/:(id|key)\b/, String({ ...ids, thread: thread.id }[RECORDS[resource] ?? ""] ?? 1))
      .replace(":comment", thread.comments[0].id)
      .replace(":version", "0".repeat(40))
      .replace(":name", resource === "reviews" ? review.name : "spring");
    const end = resource === "pages-router" ? "" : "/";
    const answer = await chief.ask(method, `api:${target}${end}`, { body: { unheard_of: 1 } });
    if (answer.status !== 400 || answer.body.unheard_of?.[0] !== "Unknown field.")
      passed.push(`${method} ${path}: ${answer.status} ${answer.text}`);
  }
  expect(passed).toEqual([]);
  expect(routes.length).toBeGreaterThan(90);
});
