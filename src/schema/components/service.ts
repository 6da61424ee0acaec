/** Schemas of revisions, syncs and hooks, of what lists share, and of errors. */
import { HOOK_EVENTS } from "../../config/hook-settings.ts";
import { ACCOUNT_SCHEMAS } from "./accounts.ts";
import * as s from "../json-schema.ts";

const errors: s.Schemas = {
  Error: s.part(
    { detail: s.told("What is wrong, in a sentence.", s.text("Not found.")) },
    { description: "Why a request was refused. Some refusals have further keys." },
  ),
  FieldErrors: {
    type: "object",
    description:
      "What is wrong with the input: messages by field or parameter, nested as the input is. Errors of no single field are " +
      "under `non_field_errors`, or `detail` is all there is.",
    additionalProperties: s.ref("Messages"),
    examples: [{ title_en: ["Ensure this field has no more than 200 characters."] }],
  },
  Messages: {
    description: "Messages of one field, or of the values in it.",
    // Not recursive, since generated types could not express it: what is nested deeper is an object.
    anyOf: [
      { type: ["string", "number"] },
      { type: "array", items: { anyOf: [s.TEXT, s.listOf(s.TEXT), s.ANY_OBJECT] } },
      s.ANY_OBJECT,
    ],
  },
  Stale: s.record(
    { detail: s.TEXT, current: s.told("The version that the record has now.", s.TEXT) },
    { description: "The record has another version than `If-Match` names.", optional: ["current"] },
  ),
  Detail: s.record({ detail: s.told("What was done.", s.TEXT) }),
  Paginator: s.record({
    count: s.told("Records that match.", s.COUNT),
    page: s.COUNT,
    has_next: s.FLAG,
    has_previous: s.FLAG,
    pages: s.COUNT,
    page_size: s.COUNT,
  }),
};

const side = s.record({ value: s.ANYTHING, commit: s.COMMIT, author: s.orNull(s.TEXT), date: s.orNull(s.MOMENT) });

const history: s.Schemas = {
  Revision: s.recordOf("A commit that changed the page.", {
    id: s.told("The commit.", s.COMMIT),
    revision_id: s.COMMIT,
    date_created: s.MOMENT,
    comment: s.TEXT,
    user: s.told("User name of the account with the author's address.", s.orNull(s.TEXT)),
    author: s.told("Name of the author of the commit.", s.TEXT),
  }),
  Conflict: s.recordOf("A value that both sides of a sync changed.", {
    id: s.text("5d41402abc4b-1"),
    kind: s.text("field"),
    path: s.text("content/pages/home.yaml"),
    record: s.orNull(s.record({ model: s.text("Page"), id: s.ID, name: s.text("Home") })),
    field: s.orNull(s.text("title")),
    language: s.orNull(s.text("en")),
    deleted_by: s.orNull(s.TEXT),
    draft: s.told("The language whose draft has the other value.", s.orNull(s.TEXT)),
    merge: s.COMMIT,
    ours: side,
    theirs: side,
  }),
  Change: s.recordOf("A commit that changed content.", {
    commit: s.COMMIT,
    date: s.MOMENT,
    author: s.told("Name of the author of the commit.", s.TEXT),
    subject: s.told("First line of the message.", s.text('Publish "Home" (en)')),
    file_count: s.COUNT,
    files: s.told(
      "The first twenty files; the record is null for one that has none now.",
      s.listOf(
        s.record({
          path: s.text("content/pages/home.yaml"),
          record: s.orNull(s.record({ model: s.text("Page"), id: s.ID })),
        }),
      ),
    ),
  }),
  Problem: s.recordOf("Something in a file that should be mended.", {
    path: s.text("content/pages/home.yaml"),
    line: s.orNull(s.COUNT),
    column: s.orNull(s.COUNT),
    severity: s.oneOfTexts("error", "warning"),
    message: s.TEXT,
  }),
  SyncFields: s.part({
    remote: s.told("Remote and branch.", s.orNull(s.text("origin/main"))),
    is_running: s.FLAG,
    ahead: s.told("Commits that the remote lacks.", s.orNull(s.COUNT)),
    behind: s.told("Commits that this branch lacks.", s.orNull(s.COUNT)),
    last_success: s.orNull(s.MOMENT),
    last_error: s.orNull(
      s.record({ at: s.MOMENT, message: s.TEXT, is_held: s.told("Whether a person has to decide.", s.FLAG) }),
    ),
    failing_since: s.orNull(s.MOMENT),
    failing_seconds: s.COUNT,
  }),
  SyncStatus: s.joined("The state of the sync with the remote.", s.ref("SyncFields")),
  SyncReport: s.joined(
    "What a sync did, and the state after it.",
    s.ref("SyncFields"),
    s.part({
      outcome: s.oneOfTexts("unchanged", "forwarded", "merged"),
      commit: s.orNull(s.COMMIT),
      pulled: s.COUNT,
      pushed: s.COUNT,
      rewritten: s.FLAG,
      conflicts: s.listOf(s.record({ kind: s.TEXT, path: s.TEXT })),
    }),
  ),
  Hook: s.recordOf("A listener of the settings, with its last deliveries.", {
    url: s.text("https://example.org/hook"),
    events: s.listOf(s.oneOfTexts(...HOOK_EVENTS)),
    private: s.FLAG,
    signed: s.FLAG,
    deliveries: s.listOf(s.ref("Delivery")),
  }),
  Delivery: s.record({
    id: s.TEXT,
    event: s.oneOfTexts(...HOOK_EVENTS),
    commit: s.orNull(s.COMMIT),
    created_at: s.MOMENT,
    status: s.oneOfTexts("waiting", "delivered", "failed"),
    attempts: s.COUNT,
    next_attempt: s.orNull(s.MOMENT),
    last: s.orNull(s.record({ at: s.MOMENT, status: s.orNull(s.COUNT), error: s.orNull(s.TEXT) })),
  }),
};

const routing: s.Schemas = {
  Manifest: s.recordOf("Every public page in every language.", {
    server_time: s.MOMENT,
    epoch: s.told("Moves when what pages share has changed; then every page is rendered again.", s.orNull(s.MOMENT)),
    urls: s.listOf(
      s.record({
        path: s.PATH,
        permalink: s.text("/about-us"),
        language_code: s.text("en"),
        hash: s.told("SHA-1 of the payload.", s.TEXT),
      }),
    ),
    redirects: s.listOf(s.record({ from: s.PATH, to: s.PATH, status: { type: "integer", enum: [301, 302] } })),
  }),
  ConfiguredRedirect: s.recordOf("A configured redirect.", {
    from: s.PATH,
    to: s.told("A path of the site, or an absolute http or https address.", s.text("/about-us")),
    status: s.told("301: for good; 302: for now.", { type: "integer", enum: [301, 302] }),
    language: s.told("The language of `from`; null: the default one.", s.orNull(s.TEXT)),
  }),
  NewRedirect: s.withExample(
    s.record(
      {
        from: s.told("A path of the site.", s.PATH),
        to: s.told("A path of the site, or an absolute http or https address.", s.TEXT),
        status: s.told("301 without it.", { type: "integer", enum: [301, 302] }),
        language: s.told("The language of `from`; the default one without it.", s.orNull(s.TEXT)),
      },
      { optional: ["status", "language"], description: "A redirect." },
    ),
    { from: "/press", to: "/about-us", status: 302 },
  ),
  Setting: s.recordOf("A setting of the server.", {
    setting: s.told("Keys joined by dots.", s.text("API.MAX_BODY")),
    value: s.ANYTHING,
    from: s.told("The settings file or a variable of the environment; null: the default.", s.orNull(s.TEXT)),
    help: s.TEXT,
  }),
  Published: s.record({ published: s.told("Drafts that were published.", s.COUNT) }),
  Reordered: s.record({
    moved: s.told("Pages whose position changed.", s.listOf(s.record({ pk: s.ID, order: s.COUNT }))),
    reordered: s.told("Whether the two pages had the same position.", s.FLAG),
  }),
  PageType: s.record({
    id: s.ID,
    app_label: s.text("cms"),
    model: s.text("page"),
    verbose_name: s.TEXT,
    verbose_name_plural: s.TEXT,
  }),
  PageOfType: s.record({ id: s.ID, name: s.TEXT, url_node_id: s.ID, model: s.text("cms.page") }),
  FoundPage: s.record({
    id: s.ID,
    permalink: s.text("/about-us"),
    status: s.TEXT,
    indexable: s.FLAG,
    is_public: s.FLAG,
  }),
  OpenApi: s.told("This document.", s.ANY_OBJECT),
};

const passage = {
  text: s.told("The words around what was found, without marks of Markdown and HTML.", s.text("… flour and water …")),
  marks: s.told("Start and end of each word that was found, in UTF-16 units.", s.listOf(s.listOf(s.COUNT))),
};
const facet = (): s.Schema =>
  s.listOf(s.record({ value: s.TEXT, name: s.TEXT, count: s.COUNT }, { optional: ["name"] }));
const publicFacets = { model: facet(), language: facet(), tag: facet(), section: facet() };
const result = { model: s.text("article"), id: s.ID, language: s.text("en"), title: s.TEXT };
const answered = (item: s.Schema, facets: s.Schemas): s.Schema =>
  s.record({
    query: s.TEXT,
    total: s.told("Everything that was found.", s.COUNT),
    items: s.told("The best first; of equal ones the newer.", s.listOf(item)),
    facets: s.told("How many results have each value.", s.record(facets)),
  });

const searching: s.Schemas = {
  SearchAnswer: answered(
    s.record(
      {
        ...result,
        status: s.told("Of pages: PUB, PLA, DRF or TRS.", s.orNull(s.TEXT)),
        url: s.told("Of pages that have an address.", s.orNull(s.PATH)),
        meta_type: s.told("Of instances.", s.orNull(s.ID)),
        passages: s.listOf(
          s.record({ field: s.told("Keys joined by dots.", s.text("template_data.sections.1.caption")), ...passage }),
        ),
      },
      { optional: ["meta_type"] },
    ),
    { ...publicFacets, status: facet(), template: facet() },
  ),
  PublicSearchAnswer: answered(
    s.record({ ...result, url: s.orNull(s.PATH), published_at: s.MOMENT, passages: s.listOf(s.record(passage)) }),
    publicFacets,
  ),
};

/** Those that are the same for every site. */
export const SERVICE_SCHEMAS: s.Schemas = { ...errors, ...ACCOUNT_SCHEMAS, ...history, ...routing, ...searching };
