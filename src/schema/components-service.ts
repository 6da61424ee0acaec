/** Schemas of accounts, revisions, syncs and hooks, of what lists share, and of errors. */
import { HOOK_EVENTS } from "../config/hook-settings.ts";
import { PROFILE, RIGHTS } from "../model/user-input.ts";
import { sentFields } from "./fields.ts";
import {
  ANYTHING,
  ANY_OBJECT,
  COMMIT,
  COUNT,
  FLAG,
  ID,
  joined,
  listOf,
  MOMENT,
  oneOfTexts,
  orNull,
  part,
  PATH,
  record,
  ref,
  TEXT,
  text,
  told,
  withExample,
  type Schemas,
} from "./json-schema.ts";

const errors: Schemas = {
  Error: part(
    { detail: told("What is wrong, in a sentence.", text("Not found.")) },
    { description: "Why a request was refused. Some refusals have further keys." },
  ),
  FieldErrors: {
    type: "object",
    description:
      "What is wrong with the input: messages by field or parameter, nested as the input is. Errors of no single field are " +
      "under `non_field_errors`, or `detail` is all there is.",
    additionalProperties: ref("Messages"),
    examples: [{ title_en: ["Ensure this field has no more than 200 characters."] }],
  },
  Messages: {
    description: "Messages of one field, or of the values in it.",
    // Not recursive, since generated types could not express it: what is nested deeper is an object.
    anyOf: [
      { type: ["string", "number"] },
      { type: "array", items: { anyOf: [TEXT, listOf(TEXT), ANY_OBJECT] } },
      ANY_OBJECT,
    ],
  },
  Stale: record(
    { detail: TEXT, current: told("The version that the record has now.", TEXT) },
    { description: "The record has another version than `If-Match` names.", optional: ["current"] },
  ),
  Detail: record({ detail: told("What was done.", TEXT) }),
  Paginator: record({
    count: told("Records that match.", COUNT),
    page: COUNT,
    has_next: FLAG,
    has_previous: FLAG,
    pages: COUNT,
    page_size: COUNT,
  }),
};

const password = { type: "string", format: "password", description: "In plain text; it is stored as a hash." };
const columns = sentFields([...PROFILE, ...RIGHTS]);
const permissions = {
  user_permissions: told(
    "Ids of permissions; an empty list is no restriction.",
    listOf({ anyOf: [ID, part({ id: ID })] }),
  ),
};

const accounts: Schemas = {
  Credentials: record({ username: text("edith"), password: { type: "string", format: "password" } }),
  Token: record({ token: told("For `Authorization: Token <token>`.", TEXT) }),
  Permission: record({
    id: ID,
    name: text("Can change page"),
    codename: text("change_page"),
    content_type: record({ id: ID, app_label: text("cms"), model: text("page") }),
  }),
  UserFields: part({
    id: ID,
    username: TEXT,
    first_name: TEXT,
    last_name: TEXT,
    email: TEXT,
    user_permissions: told("The list that restricts the account; empty without one.", listOf(ref("Permission"))),
    is_superuser: FLAG,
    is_staff: told("Whether the account may edit.", FLAG),
    is_active: FLAG,
    date_joined: MOMENT,
    last_login: orNull(MOMENT),
  }),
  User: joined("An account.", ref("UserFields"), part({ has_token: FLAG })),
  Profile: joined(
    "The account of the caller.",
    ref("UserFields"),
    part({
      groups: { type: "array", maxItems: 0 },
      group_permissions: { type: "array", maxItems: 0 },
      all_permissions: told("All permissions of the account.", listOf(ref("Permission"))),
    }),
  ),
  NewUser: record(
    { ...columns, ...permissions, password },
    {
      optional: [
        ...Object.keys(columns).filter((name) => name !== "username"),
        ...Object.keys(permissions),
        "password",
      ],
      description: "A new account.",
    },
  ),
  UserInput: withExample(
    record({ ...columns, ...permissions, password }, { optional: "all", description: "Values of an account." }),
    { first_name: "Nina" },
  ),
  ProfileInput: withExample(
    record(
      { ...sentFields(PROFILE), password, repassword: told("The same as `password`.", TEXT) },
      { optional: "all", description: "Values of the caller's own account." },
    ),
    { first_name: "Nina" },
  ),
  Byline: record(
    { id: ID, username: TEXT, first_name: TEXT, last_name: TEXT },
    { description: "The author of an article, as the account was called when it was chosen." },
  ),
};

const side = record({ value: ANYTHING, commit: COMMIT, author: orNull(TEXT), date: orNull(MOMENT) });

const history: Schemas = {
  Revision: record(
    {
      id: told("The commit.", COMMIT),
      revision_id: COMMIT,
      date_created: MOMENT,
      comment: TEXT,
      user: told("User name of the account with the author's address.", orNull(TEXT)),
      author: told("Name of the author of the commit.", TEXT),
    },
    { description: "A commit that changed the page." },
  ),
  Conflict: record(
    {
      id: text("5d41402abc4b-1"),
      kind: text("field"),
      path: text("content/pages/home.yaml"),
      record: orNull(record({ model: text("Page"), id: ID })),
      field: orNull(text("title")),
      language: orNull(text("en")),
      deleted_by: orNull(TEXT),
      draft: told("The language whose draft has the other value.", orNull(TEXT)),
      merge: COMMIT,
      ours: side,
      theirs: side,
    },
    { description: "A value that both sides of a sync changed." },
  ),
  SyncFields: part({
    remote: told("Remote and branch.", orNull(text("origin/main"))),
    is_running: FLAG,
    ahead: told("Commits that the remote lacks.", orNull(COUNT)),
    behind: told("Commits that this branch lacks.", orNull(COUNT)),
    last_success: orNull(MOMENT),
    last_error: orNull(record({ at: MOMENT, message: TEXT, is_held: told("Whether a person has to decide.", FLAG) })),
    failing_since: orNull(MOMENT),
    failing_seconds: COUNT,
  }),
  SyncStatus: joined("The state of the sync with the remote.", ref("SyncFields")),
  SyncReport: joined(
    "What a sync did, and the state after it.",
    ref("SyncFields"),
    part({
      outcome: oneOfTexts("unchanged", "forwarded", "merged"),
      commit: orNull(COMMIT),
      pulled: COUNT,
      pushed: COUNT,
      rewritten: FLAG,
      conflicts: listOf(record({ kind: TEXT, path: TEXT })),
    }),
  ),
  Hook: record(
    {
      url: text("https://example.org/hook"),
      events: listOf(oneOfTexts(...HOOK_EVENTS)),
      private: FLAG,
      signed: FLAG,
      deliveries: listOf(ref("Delivery")),
    },
    { description: "A listener of the settings, with its last deliveries." },
  ),
  Delivery: record({
    id: TEXT,
    event: oneOfTexts(...HOOK_EVENTS),
    commit: orNull(COMMIT),
    created_at: MOMENT,
    status: oneOfTexts("waiting", "delivered", "failed"),
    attempts: COUNT,
    next_attempt: orNull(MOMENT),
    last: orNull(record({ at: MOMENT, status: orNull(COUNT), error: orNull(TEXT) })),
  }),
};

const routing: Schemas = {
  Manifest: record(
    {
      server_time: MOMENT,
      epoch: told("Moves when what pages share has changed; then every page is rendered again.", orNull(MOMENT)),
      urls: listOf(
        record({
          path: PATH,
          permalink: text("/about-us"),
          language_code: text("en"),
          hash: told("SHA-1 of the payload.", TEXT),
        }),
      ),
      redirects: listOf(record({ from: PATH, to: PATH, status: { type: "integer", enum: [301, 302] } })),
    },
    { description: "Every public page in every language." },
  ),
  Published: record({ published: told("Drafts that were published.", COUNT) }),
  Reordered: record({
    moved: told("Pages whose position changed.", listOf(record({ pk: ID, order: COUNT }))),
    reordered: told("Whether any did.", FLAG),
  }),
  PageType: record({
    id: ID,
    app_label: text("cms"),
    model: text("page"),
    verbose_name: TEXT,
    verbose_name_plural: TEXT,
  }),
  PageOfType: record({ id: ID, name: TEXT, url_node_id: ID, model: text("cms.page") }),
  FoundPage: record({
    id: ID,
    permalink: text("/about-us"),
    status: TEXT,
    indexable: FLAG,
    is_public: FLAG,
  }),
  OpenApi: told("This document.", ANY_OBJECT),
};

/** Those that are the same for every site. */
export const SERVICE_SCHEMAS: Schemas = { ...errors, ...accounts, ...history, ...routing };
