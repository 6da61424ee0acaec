/**
 * An old site of camomilla as tests need it: the dump of its database, and a stub of its interface with answers in the shapes of
 * camomilla 6.5. Both have the same pages, articles, menus, blocks, meta types and files, in English and Italian.
 */
import { pbkdf2Sync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../site.ts";

export const TOKEN = "0123456789abcdef0123456789abcdef01234567";
export const PASSWORD = "a long password of anna";
export const ARTICLES = 60;
export const PICTURES = 4;

type Fields = Record<string, unknown>;
interface DumpRow {
  readonly model: string;
  readonly pk?: number;
  readonly fields: Fields;
}

const DAY = (n: number): string => `2024-0${1 + (n % 9)}-1${n % 10}T08:30:00Z`;
const djangoHash = (password: string): string =>
  `pbkdf2_sha256$1000$pepper$${pbkdf2Sync(password, "pepper", 1000, 32, "sha256").toString("base64")}`;

/** A page of any model: its URL node has the id of the page plus 100, or 1000 for articles. */
interface OldPage {
  readonly model: "camomilla.page" | "camomilla.article" | "shop.product";
  readonly id: number;
  readonly node: number;
  readonly fields: Fields;
  readonly texts: { readonly en: Fields; readonly it: Fields };
}

const text = (title: string | null, permalink: string | null, more: Fields = {}): Fields => ({
  ...{ title, description: null, og_description: null, og_title: null, og_type: null, og_url: null, canonical: null },
  ...{ keywords: null, breadcrumbs_title: null, autopermalink: true, indexable: true, template_data: {} },
  ...{ published_at: title === null ? null : "2024-01-02T03:04:05.678901Z", permalink },
  ...more,
});

const globals = (id: number, more: Fields = {}): Fields => ({
  ...{ identifier: `identifier-${id}`, template: null, meta: {}, ordering: id, deleted_at: null },
  ...{
    date_created: "2023-05-06T07:08:09Z",
    date_updated_at: "2024-02-03T04:05:06Z",
    og_image: null,
    parent_page: null,
  },
  ...more,
});

const page = (id: number, en: Fields, it: Fields, more: Fields = {}): OldPage => ({
  model: "camomilla.page",
  id,
  node: 100 + id,
  fields: globals(id, more),
  texts: { en, it },
});

const article = (id: number): OldPage => ({
  model: "camomilla.article",
  id,
  node: 1000 + id,
  fields: globals(id, {
    author: id % 2 === 0 ? 2 : null,
    highlight_image: 1 + (id % PICTURES),
    tags: id % 3 === 0 ? [1, 2] : [1],
  }),
  texts: {
    en: text(`Post ${id}`, `/post-${id}`, {
      published_at: DAY(id),
      content: `<h2>Top</h2><p>See <a href="/post-${(id % ARTICLES) + 1}/#top">the next</a>, <a href="https://old.example/it/chi-siamo/">us</a> and <img src="/media/photo-${1 + (id % PICTURES)}.png" alt="Field"></p>`,
    }),
    it: text(null, null, { content: "" }),
  },
});

const frozen = (id: number, model: string, name: string): Fields => ({ id, name, model });

export const PAGES: readonly OldPage[] = [
  page(1, text("Home", "/", { autopermalink: false }), text("Casa", "/", { autopermalink: false })),
  page(
    2,
    text("About", "/about", {
      template_data: {
        hero: {
          headline: "<b>About us</b>",
          image: { ...frozen(1, "camomilla.media", "Photo 1"), file: "/media/photo-1.png" },
        },
        cta: {
          link_type: "RE",
          url_node: 103,
          content_type: 7,
          page: frozen(3, "camomilla.page", "Team"),
          url: "/about/team/",
        },
        numbers: [1, null, "x"],
      },
    }),
    text("Chi siamo", "/chi-siamo"),
    { og_image: 2, template: "website/pages/about.html" },
  ),
  page(3, text("Team", "/about/team"), text("Squadra", "/chi-siamo/squadra"), { parent_page: 2 }),
  page(4, text("Sketch", "/sketch", { published_at: null }), text(null, null)),
  page(5, text("To come", "/to-come", { published_at: "2099-05-01T08:00:00Z" }), text(null, null)),
  page(6, text("Thrown away", "/thrown-away"), text(null, null), { deleted_at: "2024-03-04T05:06:07Z" }),
  // Its permalink was taken when it was made.
  page(7, text("About", "/2ed57d3b-7db3-4ecb-9d95-11c5427d5661"), text(null, null)),
  ...Array.from({ length: ARTICLES }, (_, at) => article(at + 1)),
  {
    model: "shop.product",
    id: 1,
    node: 2001,
    fields: globals(1, { price: "9.50", identifier: "identifier-bread" }),
    texts: { en: text("Bread", "/bread", { flavour: "rye" }), it: text("Pane", "/pane", { flavour: "segale" }) },
  },
];

const TAGS = [
  { id: 1, en: "News", it: "Notizie" },
  { id: 2, en: "Garden", it: "Giardino" },
];
const FOLDERS = [
  { id: 1, title: "Spring 2024", slug: "spring-2024", path: "/spring-2024", updir: null },
  { id: 2, title: "Öfen & more", slug: "ofen-more", path: "/spring-2024/ofen-more", updir: 1 },
];
const MEDIA = Array.from({ length: PICTURES }, (_, at) => ({
  id: at + 1,
  file: `photo-${at + 1}.png`,
  thumbnail: `thumbnails/photo-${at + 1}_thumb.png`,
  folder: [null, 1, 2, 2][at]!,
  renditions: {
    sm: { url: `/media/renditions/photo-${at + 1}/sm.webp`, path: `renditions/photo-${at + 1}/sm.webp`, width: 400 },
  },
  renditions_config: at === 0 ? [{ name: "tiny", width: 10, format: "webp" }] : [],
  en: { title: `Photo ${at + 1}`, alt_text: `A field in ${at + 1} colours`, description: null },
  it: { title: `Foto ${at + 1}`, alt_text: null, description: null },
}));
const link = (id: number, node: number, model = "camomilla.page"): Fields => ({
  link_type: "RE",
  content_type: 7,
  page: { id, name: "", model },
  url_node: node,
});
const MENU = {
  id: 1,
  key: "main",
  enabled: false,
  en: [
    {
      id: "a",
      title: "About",
      link: link(2, 102),
      meta: { icon: "i" },
      nodes: [{ title: "Team", link: link(3, 103), nodes: [], meta: {} }],
    },
    { id: "b", title: "Post", link: link(1, 1001, "camomilla.article"), nodes: [], meta: {} },
    {
      id: "c",
      title: "Elsewhere",
      link: { link_type: "ST", static: "https://elsewhere.example/" },
      nodes: [],
      meta: {},
    },
    { id: "d", title: "Only a title", link: { link_type: "ST", static: null }, nodes: [], meta: {} },
  ],
  it: [],
};
const CONTENTS = [
  {
    id: 1,
    identifier: "intro",
    label: "camomilla.page",
    object: 2,
    en: '<p><a href="/post-1/">first</a></p>',
    it: "<p>Ciao</p>",
  },
  { id: 2, identifier: "intro", label: "camomilla.article", object: 2, en: "<p>Of the article</p>", it: "" },
  { id: 3, identifier: "footer", label: null, object: null, en: "<p>Everywhere</p>", it: "" },
];
const SCHEMA = [
  { name: "heading", label: "Heading", kind: "string", required: true, translated: true, max_length: null },
  { name: "photo", label: "Photo", kind: "media", required: false, target_model: null, children: [] },
  { name: "tag", label: "Tag", kind: "ref", target_model: "camomilla.Tag" },
  {
    name: "items",
    label: "Items",
    kind: "list",
    children: [{ name: "more", kind: "ref", target_model: "camomilla.MetaInstance" }],
  },
];
const META_DATA = [
  {
    heading: { en: "One", it: "Uno" },
    photo: 1,
    tag: frozen(2, "camomilla.tag", "(Tag) Garden"),
    items: [{ more: 2 }],
  },
  { heading: { en: "Two" }, photo: null, tag: null, items: [] },
  { heading: null, photo: null },
];
const DRAFT = {
  page: 2,
  language: "en",
  scheduled_for: "2099-06-07T08:09:10Z",
  serialized: { translations: { en: { title: "About us, soon" } }, og_image: 3 },
};
const REDIRECTS = [
  { lang: "en", from: "/former-about", to: "/about", permanent: true },
  { lang: "it", from: "/vecchio", to: "/chi-siamo", permanent: true },
  { lang: "en", from: "/offer", to: "/bread", permanent: false },
];
const USERS = [
  {
    id: 1,
    fields: {
      username: "root",
      password: djangoHash("root of all evil"),
      is_superuser: true,
      is_staff: true,
      email: "",
    },
  },
  {
    id: 2,
    fields: {
      username: "anna",
      password: djangoHash(PASSWORD),
      is_superuser: false,
      is_staff: true,
      email: "anna@example.org",
    },
  },
  {
    id: 3,
    fields: {
      username: "off",
      password: "!unusable",
      is_superuser: false,
      is_staff: false,
      is_active: false,
      email: "",
    },
  },
];
const user = ({ id, fields }: (typeof USERS)[number]): Fields => ({
  ...{ first_name: id === 2 ? "Anna" : "", last_name: id === 2 ? "Rossi" : "", is_active: true },
  ...{ date_joined: "2022-01-01T00:00:00Z", last_login: null },
  ...fields,
});

/** Every path of the old site that answered with a page, and that of each file. */
export const OLD_ADDRESSES: readonly string[] = [
  ...PAGES.flatMap(({ texts, fields }) =>
    (["en", "it"] as const).flatMap((lang) => {
      const { permalink, published_at: at } = texts[lang];
      const isPublic =
        typeof at === "string" && at < "2030" && fields.deleted_at === null && typeof permalink === "string";
      return isPublic ? [`${lang === "en" ? "" : "/it"}${permalink === "/" ? "" : permalink}/`] : [];
    }),
  ),
  ...REDIRECTS.map(({ lang, from }) => `${lang === "en" ? "" : "/it"}${from}/`),
  ...MEDIA.map(({ file }) => `/media/${file}`),
];

/** `MEDIA_ROOT` of the old site. */
export async function mediaRoot(): Promise<string> {
  const folder = await temporaryFolder();
  for (const { file, id } of MEDIA) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), await picture(id));
  }
  return folder;
}

const picture = (id: number): Promise<Buffer> =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: { r: id * 40, g: 80, b: 120 } } })
    .png()
    .toBuffer();

/** Columns of django-modeltranslation: one for each language beside that of the default one. */
const columns = (texts: { readonly en: Fields; readonly it: Fields }): Fields =>
  Object.fromEntries(
    Object.keys(texts.en).flatMap((name) => [
      [name, texts.en[name]],
      [`${name}_it`, texts.it[name]],
      [`${name}_en`, texts.en[name]],
    ]),
  );

const TYPES = { "camomilla.page": 7, "camomilla.article": 8, "shop.product": 9 } as const;

/** What `dumpdata --indent 2` writes. */
export function camomillaDump(change: (rows: DumpRow[]) => readonly DumpRow[] = (rows) => rows): string {
  const rows: DumpRow[] = [
    ...Object.entries(TYPES).map(([label, pk]) => {
      const [app_label, model] = label.split(".");
      return { model: "contenttypes.contenttype", pk, fields: { app_label, model } };
    }),
    { model: "auth.permission", pk: 31, fields: { name: "Can change page", content_type: 7, codename: "change_page" } },
    {
      model: "auth.permission",
      pk: 32,
      fields: { name: "Can change product", content_type: 9, codename: "change_product" },
    },
    { model: "auth.group", pk: 1, fields: { name: "Editors", permissions: [31] } },
    ...USERS.map((each) => ({
      model: "auth.user",
      pk: each.id,
      fields: { ...user(each), groups: each.id === 2 ? [1] : [], user_permissions: each.id === 2 ? [32] : [] },
    })),
    ...PAGES.map(({ node, model, texts }) => ({
      model: "camomilla.urlnode",
      pk: node,
      fields: {
        related_name: model.replace(".", "_"),
        ...columns({ en: { permalink: texts.en.permalink }, it: { permalink: texts.it.permalink } }),
      },
    })),
    ...PAGES.map(({ model, id, node, fields, texts: { en, it } }) => {
      const { permalink: _en, ...english } = en;
      const { permalink: _it, ...italian } = it;
      return { model, pk: id, fields: { ...fields, url_node: node, ...columns({ en: english, it: italian }) } };
    }),
    ...TAGS.map(({ id, en, it }) => ({
      model: "camomilla.tag",
      pk: id,
      fields: columns({ en: { name: en }, it: { name: it } }),
    })),
    ...FOLDERS.map(({ id, ...fields }) => ({
      model: "camomilla.mediafolder",
      pk: id,
      fields: { ...fields, creation_date: "2023-01-01T00:00:00Z", last_modified: "2023-01-01T00:00:00Z" },
    })),
    ...MEDIA.map(({ id, en, it, ...fields }) => ({
      model: "camomilla.media",
      pk: id,
      fields: { ...fields, ...columns({ en, it }), created: "2023-02-01T00:00:00Z", size: 99, mime_type: "image/png" },
    })),
    {
      model: "camomilla.menu",
      pk: MENU.id,
      fields: {
        key: MENU.key,
        enabled: MENU.enabled,
        available_classes: {},
        ...columns({ en: { nodes: MENU.en }, it: { nodes: MENU.it } }),
      },
    },
    ...CONTENTS.map(({ id, identifier, label, object, en, it }) => ({
      model: "camomilla.content",
      pk: id,
      fields: {
        identifier,
        content_type: label === null ? null : TYPES[label as keyof typeof TYPES],
        object_id: object,
        ...columns({ en: { content: en }, it: { content: it } }),
      },
    })),
    { model: "camomilla.contentversion", pk: 1, fields: { content: 1, data: "<p>old</p>", created_at: DAY(1) } },
    {
      model: "structured_metaobjects.metatype",
      pk: 1,
      fields: { name: "FAQ entry", schema: SCHEMA, compiled_at: DAY(1) },
    },
    ...META_DATA.map((data, at) => ({
      model: "structured_metaobjects.metainstance",
      pk: at + 1,
      fields: { meta_type: 1, data, created_at: DAY(1), updated_at: DAY(2) },
    })),
    {
      model: "camomilla.draft",
      pk: 1,
      fields: {
        ...{ content_type: 7, object_id: DRAFT.page, language: DRAFT.language, serialized: DRAFT.serialized },
        ...{ scheduled_for: DRAFT.scheduled_for, created_at: DAY(1), updated_at: DAY(2), created_by: null },
      },
    },
    {
      model: "camomilla.draft",
      pk: 2,
      fields: {
        ...{ content_type: 7, object_id: 3, language: "it", serialized: { ordering: "first" }, scheduled_for: null },
        ...{ created_at: DAY(1), updated_at: DAY(2), created_by: null },
      },
    },
    ...REDIRECTS.map(({ lang, from, to, permanent }, at) => ({
      model: "camomilla.urlredirect",
      pk: at + 1,
      fields: {
        language_code: lang,
        from_url: from,
        to_url: to,
        permanent,
        url_node: 102,
        date_created: DAY(1),
        date_updated_at: DAY(1),
      },
    })),
    { model: "reversion.version", pk: 1, fields: { object_id: "1", format: "json", serialized_data: "[]" } },
    { model: "shop.order", pk: 1, fields: { customer: "a private person" } },
    { model: "sessions.session", fields: { session_data: "secret" } },
  ];
  return JSON.stringify(change(rows), null, 2);
}

export interface CamomillaStub {
  readonly origin: string;
  /** The paths that were asked, with their query. */
  readonly asked: readonly string[];
}

/**
 * A running camomilla. Everything but routers, languages and files wants the token.
 *
 * @param options.hasManifest whether it is of 6.6, which lists redirects
 */
export async function camomillaStub({ hasManifest = true } = {}): Promise<CamomillaStub> {
  const asked: string[] = [];
  const state = { origin: "" };
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    void answer(request, response, state.origin, hasManifest);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: state.origin, asked };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  hasManifest: boolean,
): Promise<void> {
  const url = new URL(request.url ?? "/", origin);
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const file = MEDIA.find((each) => url.pathname === `/media/${each.file}`);
  if (file) {
    // Files are public: a token must not be sent with them.
    if (request.headers.authorization !== undefined) return send(400, { detail: "A token was sent for a file." });
    response.writeHead(200, { "content-type": "image/png" });
    response.end(await picture(file.id));
    return;
  }
  const path = url.pathname.replace(/^\/api\/camomilla\//, "");
  if (!url.pathname.startsWith("/api/camomilla/")) return send(404, { detail: "Not found." });
  const open = OPEN[path];
  if (open && (hasManifest || path !== "pages-router/changes")) return send(200, open(origin));
  if (request.headers.authorization !== `Token ${TOKEN}`)
    return send(401, { detail: "Authentication credentials were not provided." });
  const preview = /^(pages|articles)\/(\d+)\/preview\/$/.exec(path);
  if (preview?.[1] === "pages")
    return send(200, previewOf(Number(preview[2]), url.searchParams.get("language") ?? "en", origin));
  const folder = /^media-folders\/(?:(\d+)\/)?$/.exec(path);
  if (folder) return send(200, folderListing(folder[1] === undefined ? null : Number(folder[1])));
  const bare = BARE_LISTS[path];
  if (bare) return send(200, bare());
  const list = LISTS[path]?.(origin);
  if (!list) return send(404, { detail: "Not found." });
  const size = Number(url.searchParams.get("items") ?? "30");
  const number = Number(url.searchParams.get("page") ?? "1");
  const pages = Math.max(1, Math.ceil(list.length / size));
  const at = Math.min(number, pages);
  send(200, {
    items: list.slice((at - 1) * size, at * size),
    paginator: { count: list.length, page: at, has_next: at < pages, has_previous: at > 1, pages, page_size: size },
  });
}

const OPEN: { readonly [path: string]: ((origin: string) => unknown) | undefined } = {
  "": (origin) =>
    Object.fromEntries(
      ["pages", "articles", "tags", "media"].map((name) => [name, `${origin}/api/camomilla/${name}/`]),
    ),
  "languages/": () => ({
    language_code: "en",
    languages: [
      { id: "it", name: "Italian" },
      { id: "en", name: "English" },
    ],
  }),
  "pages-router/changes": () => ({
    server_time: DAY(1),
    epoch: null,
    urls: [],
    redirects: REDIRECTS.map(({ lang, from, to, permanent }) => {
      const shown = (path: string): string => `${lang === "en" ? "" : `/${lang}`}${path}/`;
      return { from: shown(from), to: shown(to), status: permanent ? 301 : 302 };
    }),
  }),
};

const BARE_LISTS: { readonly [path: string]: (() => unknown) | undefined } = {
  "menus/page_types/": () =>
    Object.entries(TYPES).map(([label, id]) => ({ id, app_label: label.split(".")[0], model: label.split(".")[1] })),
  "meta-types/": () => [{ id: 1, name: "FAQ entry", key: "faq", schema: SCHEMA, compiled_at: DAY(1) }],
  "meta-instances/": () =>
    META_DATA.map((data, at) => ({
      ...{ id: at + 1, meta_type: 1, identifier: `faq-${at + 1}`, data },
      ...{ created_at: DAY(1), updated_at: DAY(2) },
    })),
};

const flat = ({ en, it }: { readonly en: Fields; readonly it: Fields }): Fields => ({
  ...en,
  translations: { it, en },
});

const mediaPayload = (
  origin: string,
  { id, en, it, folder, file, thumbnail, renditions_config }: (typeof MEDIA)[number],
): Fields => ({
  ...{ id, links: [], is_image: true, renditions: {}, srcset: {}, ...flat({ en, it }) },
  ...{ file: `${origin}/media/${file}`, thumbnail: `${origin}/media/${thumbnail}`, created: "2023-02-01T00:00:00Z" },
  ...{ size: 99, mime_type: "image/png", image_props: { width: 30, height: 20 }, renditions_config },
  folder: folder === null ? null : folderPayload(folder),
});

function folderPayload(id: number): Fields {
  const { updir, ...folder } = FOLDERS.find((each) => each.id === id)!;
  return {
    ...folder,
    creation_date: "2023-01-01T00:00:00Z",
    last_modified: "2023-01-01T00:00:00Z",
    updir: updir === null ? null : folderPayload(updir),
  };
}

const folderListing = (id: number | null): unknown => ({
  folders: FOLDERS.filter(({ updir }) => updir === id).map((folder) => folderPayload(folder.id)),
  media: { items: [], paginator: { count: 0, page: 1, has_next: false, has_previous: false, pages: 1, page_size: 1 } },
  parent_folder: id === null ? { title: "", updir: null } : folderPayload(id),
});

function pagePayload(origin: string, { model, id, fields, texts }: OldPage): Fields {
  const shown = (media: unknown): unknown => {
    const found = MEDIA.find((each) => each.id === media);
    return found ? mediaPayload(origin, found) : null;
  };
  const parent = PAGES.find((each) => each.model === model && each.id === fields.parent_page);
  const { permalink } = texts.en;
  const isArticle = model === "camomilla.article";
  const author = USERS.find((each) => each.id === fields.author);
  return {
    ...{ id, ...fields, ...flat(texts), template_file: "defaults/pages/default.html" },
    ...{ routerlink: `${permalink as string}/`, breadcrumbs: [], status: "PUB", is_public: true },
    og_image: shown(fields.og_image),
    parent_page: parent ? { ...parent.fields, ...parent.texts.en, id: parent.id, parent_page: null } : null,
    ...(isArticle && {
      highlight_image: shown(fields.highlight_image),
      author: author ? { id: author.id, ...user(author) } : null,
      tags: (fields.tags as number[]).map((tag) => ({ id: tag, name: TAGS[tag - 1]!.en })),
    }),
  };
}

/** The draft lies over `translations` and the fields that have no languages; flat texts stay live. */
function previewOf(id: number, lang: string, origin: string): Fields {
  const payload = pagePayload(
    origin,
    PAGES.find((each) => each.model === "camomilla.page" && each.id === id)!,
  );
  if (id !== DRAFT.page || lang !== DRAFT.language) return payload;
  const { translations, ...globalsOfDraft } = DRAFT.serialized;
  const live = payload.translations as { en: Fields; it: Fields };
  return {
    ...payload,
    ...globalsOfDraft,
    translations: { ...live, en: { ...live.en, ...translations.en } },
    has_draft: true,
  };
}

const LISTS: { readonly [path: string]: ((origin: string) => readonly Fields[]) | undefined } = {
  "pages/": (origin) =>
    PAGES.filter(({ model }) => model === "camomilla.page").map((each) => pagePayload(origin, each)),
  "articles/": (origin) =>
    PAGES.filter(({ model }) => model === "camomilla.article").map((each) => pagePayload(origin, each)),
  "models/product/": (origin) =>
    PAGES.filter(({ model }) => model === "shop.product").map((each) => pagePayload(origin, each)),
  "tags/": () => TAGS.map(({ id, en, it }) => ({ id, ...flat({ en: { name: en }, it: { name: it } }) })),
  "media/": (origin) => MEDIA.map((each) => mediaPayload(origin, each)),
  "menus/": () => [
    {
      ...{ id: MENU.id, key: MENU.key, enabled: MENU.enabled, available_classes: {} },
      translations: { it: { nodes: MENU.it }, en: { nodes: MENU.en } },
    },
  ],
  "contents/": () =>
    CONTENTS.map(({ id, identifier, label, object, en, it }) => ({
      ...{ id, identifier, object_id: object, ...flat({ en: { content: en }, it: { content: it } }) },
      content_type:
        label === null
          ? null
          : { id: TYPES[label as keyof typeof TYPES], app_label: label.split(".")[0], model: label.split(".")[1] },
    })),
  "users/": () =>
    USERS.map((each) => {
      const { password: _, ...shown } = user(each);
      const content_type = { id: 7, app_label: "camomilla", model: "page" };
      const permission = { id: 31, name: "Can change page", codename: "change_page", content_type };
      return { id: each.id, ...shown, has_token: false, user_permissions: each.id === 2 ? [permission] : [] };
    }),
};
