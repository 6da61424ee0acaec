/** A site with a page model and a meta type that have every kind of field, and what their references name. */
import { KIND_NAMES } from "../../../src/model/fields/definition.ts";
import { h3App } from "../../../src/http/app/h3-app.ts";
import { hookFile, type Delivery } from "../../../src/hooks/hook-file.ts";
import type { Instant } from "../../../src/model/time/instant.ts";
import type { SyncService } from "../../../src/store/sync/sync-service.ts";
import { openIdentityProvider } from "../../support/identity-provider.ts";
import { jpeg, mediaSite, type MediaSite } from "../../media/media-site.ts";

const HOOKS = [{ URL: "https://listener.example.org/", SECRET: null, EVENTS: ["change"] as const, PRIVATE: false }];

const CHILDREN = "{ name: label, required: true, translated: true }, { name: to, kind: permalink }";

/** One field of each kind, and one that is translated. */
const FIELDS = KIND_NAMES.map((kind) => {
  const needs = { select: "choices: [{ value: a }, { value: b, label: B }]", ref: "target_model: cms.Page" };
  const more =
    kind === "queryset"
      ? "target_model: cms.Tag"
      : kind === "group" || kind === "list"
        ? `children: [${CHILDREN}]`
        : (needs[kind as keyof typeof needs] ?? "");
  return `  - { name: a_${kind}, kind: ${kind}${more && `, ${more}`} }\n`;
}).join("");

const OTHERS = ["cms.Media", "cms.MediaFolder", "cms.Menu", "cms.Content", "cms.MetaType", "cms.MetaInstance"];
const REFERENCES = [...OTHERS, "auth.User", "cms.Article", "pages.room"]
  .map((model) => `  - { name: to_${model.replace(/\W/g, "_").toLowerCase()}, kind: ref, target_model: ${model} }\n`)
  .join("");

const SCHEMA = `schema:\n${FIELDS}${REFERENCES}  - { name: several, kind: select, multiple: true, choices: [{ value: a }, { value: b }] }
  - { name: slogan, translated: true, required: true }\n`;

/** Kinds of sections, of which one may contain itself. */
const BLOCK_TYPES = {
  "content/block-types/columns.yaml": "label: Columns\nschema: [{ name: content, kind: blocks }]\n",
  "content/block-types/note.yaml": `description: A note.\nschema: [${CHILDREN}, { name: about, kind: media }]\n`,
};

export const FULL_FILES = {
  ...BLOCK_TYPES,
  "content/page-models/room.yaml": `parent_page_field: floor\n${SCHEMA}`,
  "content/page-models/plain-model.yaml": "paginate: { of: articles, each: tags }\nschema: []\n",
  "content/meta-types/all-kinds.yaml": `id: 70\nname: All kinds\n${SCHEMA}`,
  "content/meta-types/faq.yaml": "id: 71\nschema: [{ name: question, required: true }]\n",
  "content/meta-instances/orphan.yaml": "id: 72\ndata: { anything: 1 }\n",
  "content/redirects.yaml": "- { from: /old, to: /about-us }\n",
  "templates/defaults/pages/default.html": "{{ page.title }}",
  "templates/defaults/articles/default.html": "{{ page.title }}",
};

/** A site with a sync and a hook, and what the references of its data name. */
export async function fullSite() {
  const { issuer: ISSUER } = await openIdentityProvider(["http://test.local/api/cms/auth/oidc/company/callback/"]);
  const provider = { NAME: "company", LABEL: "Company", ISSUER, CLIENT_ID: "cms", CLIENT_SECRET: null };
  const OIDC = [{ ...provider, SCOPES: ["openid"], GROUPS: "groups", ROLES: {} }];
  const site = await mediaSite({ HOOKS, AUTH: { OIDC } }, FULL_FILES);
  // As `cms serve --sync` adds it.
  const app = h3App({ ...site.cms, sync: SYNC, syncSecret: SECRET });
  const asked = askOf(site, app);
  await hookFile(site.cms.store.repo.stateDir, HOOKS, 0).update(() => [
    { told: null, deliveries: DELIVERIES },
    undefined,
  ]);
  const folder = await site.api("POST", "media-folders/", { title: "Press" });
  const media = await site.upload("harbour.jpg", await jpeg(900, 600), { folder: String(folder.id) });
  const tag = await site.api("POST", "tags/", { name: "Boats" });
  const page = await site.page({ title: "About us", og_image: media.id, robots: "noindex" }, ["en"]);
  const menu = await site.api("POST", "menus/", { key: "main", nodes: nodesTo(page.id) });
  const block = await site.api("POST", "contents/", { identifier: "notice", content: "Closed", object_id: page.id });
  const article = await site.api("POST", "articles/", { title: "News", tags: [tag.id], highlight_image: media.id });
  const faq = await site.api("POST", "meta-instances/", { meta_type: 71, data: { question: "Why?" } });
  const user = (await site.ask("GET", "api:users/current/", { as: "staff" })).body;
  const link = { link_type: "RE", url_node: page.id };
  const item = { label: { en: "Label" }, to: { link_type: "ST", static: "https://example.org/" } };
  const data = {
    ...{ a_string: "text", a_text: "text", a_html: "<p>Text</p>", a_integer: 3, a_number: 1.5, a_boolean: true },
    ...{ a_textarea: "One\nTwo", a_email: "ada@example.org", a_url: "https://example.org/", a_phone: "+39 02 1234" },
    ...{ a_time: "06:30", a_color: "#aa00ff", a_location: { latitude: 41.9, longitude: 12.5 }, several: ["b", "a"] },
    ...{ a_date: "2027-01-01", a_datetime: "2027-01-01T08:00:00Z", a_select: "a", a_media: media.id, a_ref: page.id },
    ...{ a_queryset: [tag.id], a_group: item, a_list: [item, { label: { it: "Nome" } }], a_permalink: link },
    a_blocks: [{ type: "columns", id: "b1", content: [{ type: "note", id: "b1", ...item, about: media.id }] }],
    ...{ to_cms_media: media.id, to_cms_mediafolder: folder.id, to_cms_menu: menu.id, to_cms_content: block.id },
    ...{ to_cms_metatype: 71, to_cms_metainstance: faq.id, to_auth_user: user.id, to_cms_article: article.id },
    slogan: { en: "Sleep well" },
  };
  const room = await site.api("POST", "pages/", { model: "room", title: "Red", template_data: data, floor: page.id });
  await site.api("POST", `pages/${room.id}/publish/`);
  return { site: { ...site, ask: asked }, folder, media, tag, page, menu, block, article, faq, user, room, data };
}

const nodesTo = (id: number) => [
  {
    id: "a",
    title: "About",
    link: { link_type: "RE", url_node: id },
    meta: { icon: "house" },
    nodes: [
      { title: null, link: { link_type: "ST", static: "mailto:keepers@example.org" } },
      { title: "Nowhere", link: { link_type: "RE", url_node: null } },
    ],
  },
];

/** The requests of a site, to another app over it. */
function askOf(site: MediaSite, app: ReturnType<typeof h3App>): MediaSite["ask"] {
  return async (method, path, { body, headers = {}, as = null } = {}) => {
    const isPlain = typeof body === "string" || body === undefined || body instanceof Uint8Array;
    const response = await app.request(`http://test.local${path.replace(/^api:/, "/api/cms/")}`, {
      method,
      headers: {
        ...(as && { authorization: `Token ${await site.token(as)}` }),
        ...(!isPlain && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isPlain ? (body as string) : JSON.stringify(body) }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    return { status: response.status, headers: response.headers, bytes, text, body: jsonOf(text) };
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const AT = "2026-03-01T12:00:00.000Z" as Instant;

const DELIVERIES: readonly Delivery[] = [
  {
    ...{ id: "1", event: "change", commit: null, created_at: AT, status: "failed", attempts: 1, next_attempt: null },
    ...{ last: { at: AT, status: 500, error: null }, body: "" },
  },
];

export const SECRET = "open sesame";

const SYNC: SyncService = {
  status: async () => ({
    ...{ remote: "origin/main", is_running: false, ahead: 0, behind: null, last_success: AT, failing_since: AT },
    ...{ last_error: { at: AT, message: "The remote cannot be reached.", is_held: false }, failing_seconds: 3 },
  }),
  sync: async () => ({
    ...{ remote: "origin/main", outcome: "merged", commit: "a".repeat(40), pulled: 1, pushed: 2, isRewritten: false },
    conflicts: [{ kind: "file", path: "notes.txt" }] as never,
  }),
  request: () => undefined,
  noteCommit: () => undefined,
  stop: async () => undefined,
};
