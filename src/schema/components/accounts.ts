/** Schemas of accounts, of their means of signing in, and of the audit log. */
import { ACTIONS, STATES } from "../../model/access/rule.ts";
import { AUDIT_EVENTS } from "../../model/account/audit.ts";
import { PROFILE, RIGHTS } from "../../model/account/user-input.ts";
import { sentFields } from "../fields.ts";
import * as s from "../json-schema.ts";

const password = { type: "string", format: "password", description: "In plain text; it is stored as a hash." };
const code = s.told("Of accounts that have turned one-time codes on.", s.text("123456"));
const columns = sentFields([...PROFILE, ...RIGHTS]);
const permissions = {
  user_permissions: s.told(
    "Ids of permissions; an empty list is no restriction.",
    s.listOf({ anyOf: [s.ID, s.part({ id: s.ID })] }),
  ),
  roles: s.told("Names of roles, which decide in place of permissions on content.", s.listOf(s.TEXT)),
};

const tokenFields = {
  id: s.TEXT,
  name: s.text("deploy"),
  rules: s.told("What narrows it; null: it may what its account may.", s.orNull(s.listOf(s.ref("Rule")))),
  created_at: s.MOMENT,
  expires_at: s.orNull(s.MOMENT),
  last_used_at: s.told("To the hour.", s.orNull(s.MOMENT)),
};

export const ACCOUNT_SCHEMAS: s.Schemas = {
  Credentials: s.record(
    { username: s.text("edith"), password: { type: "string", format: "password" }, code },
    { optional: ["code"], description: "Name and password." },
  ),
  NewPassword: s.record(
    {
      current_password: { type: "string", format: "password" },
      password: { type: "string", format: "password" },
      code,
    },
    { optional: ["code"], description: "A new password." },
  ),
  Confirmation: s.withExample(
    s.record(
      {
        password: { type: "string", format: "password" },
        code,
        response: s.told("Of a passkey, in place of these.", s.ANY_OBJECT),
      },
      { optional: "all", description: "What proves who is at the browser." },
    ),
    { password: "open sesame" },
  ),
  Passkey: s.recordOf("A key that signs the account in.", {
    id: s.TEXT,
    name: s.text("Laptop"),
    host: s.told("The host that it is for.", s.text("www.example.org")),
    created_at: s.MOMENT,
    last_used_at: s.orNull(s.MOMENT),
  }),
  Session: s.recordOf("A browser in which the account is signed in.", {
    id: s.TEXT,
    created_at: s.MOMENT,
    expires_at: s.MOMENT,
    address: s.told("Of the client that signed in.", s.text("192.0.2.7")),
    agent: s.told("What its browser called itself.", s.text("Mozilla/5.0")),
    is_current: s.told("Whether it is the session of the request.", s.FLAG),
  }),
  Rule: s.record(
    {
      may: s.listOf(s.oneOfTexts(...ACTIONS)),
      models: s.told("Without it all models but those of the site's structure.", s.listOf(s.text("article"))),
      below: s.told("A page by its permalink or id: it and those below it.", { anyOf: [s.ID, s.TEXT] }),
      languages: s.listOf(s.text("en")),
      fields: s.told("They narrow `edit` alone.", s.listOf(s.TEXT)),
      when: s.oneOfTexts(...STATES),
    },
    { optional: ["models", "below", "languages", "fields", "when"], description: "What is allowed, and where." },
  ),
  NamedToken: s.recordOf("A token of a program.", tokenFields),
  MadeToken: s.recordOf("A new token of a program, with the token itself.", {
    ...tokenFields,
    token: s.told("For `Authorization: Token <token>`. It is shown here alone.", s.TEXT),
  }),
  NewNamedToken: s.withExample(
    s.record(
      { name: s.TEXT, expires_at: s.orNull(s.MOMENT), rules: tokenFields.rules },
      { optional: ["expires_at", "rules"], description: "A token to be made." },
    ),
    { name: "deploy", expires_at: "2027-01-31T12:00:00Z", rules: [{ may: ["view"] }] },
  ),
  Token: s.record({ token: s.told("For `Authorization: Token <token>`.", s.TEXT) }),
  Permission: s.record({
    id: s.ID,
    name: s.text("Can change page"),
    codename: s.text("change_page"),
    content_type: s.record({ id: s.ID, app_label: s.text("cms"), model: s.text("page") }),
  }),
  UserFields: s.part({
    id: s.ID,
    username: s.TEXT,
    first_name: s.TEXT,
    last_name: s.TEXT,
    email: s.TEXT,
    user_permissions: s.told("The list that restricts the account; empty without one.", s.listOf(s.ref("Permission"))),
    roles: s.told("Names of roles, which decide in place of permissions on content.", s.listOf(s.TEXT)),
    is_superuser: s.FLAG,
    is_staff: s.told("Whether the account may edit.", s.FLAG),
    is_active: s.FLAG,
    date_joined: s.MOMENT,
    last_login: s.orNull(s.MOMENT),
  }),
  User: s.joined("An account.", s.ref("UserFields"), s.part({ has_token: s.FLAG })),
  Profile: s.joined(
    "The account of the caller.",
    s.ref("UserFields"),
    s.part({
      groups: { type: "array", maxItems: 0 },
      group_permissions: { type: "array", maxItems: 0 },
      all_permissions: s.told("All permissions of the account.", s.listOf(s.ref("Permission"))),
    }),
  ),
  NewUser: s.record(
    { ...columns, ...permissions, password },
    {
      optional: [...Object.keys(columns).filter((name) => name !== "username"), ...Object.keys(permissions)],
      description: "A new account.",
    },
  ),
  UserInput: s.withExample(
    s.record({ ...columns, ...permissions, password }, { optional: "all", description: "Values of an account." }),
    { first_name: "Nina" },
  ),
  ProfileInput: s.withExample(
    s.record(
      { ...sentFields(PROFILE), password, repassword: s.told("The same as `password`.", s.TEXT) },
      { optional: "all", description: "Values of the caller's own account." },
    ),
    { first_name: "Nina" },
  ),
  Byline: s.recordOf("The author of an article, as the account was called when it was chosen.", {
    id: s.ID,
    username: s.TEXT,
    first_name: s.TEXT,
    last_name: s.TEXT,
  }),
  AuditEvent: s.recordOf("A sign-in, a refusal, or a change of an account.", {
    at: s.MOMENT,
    event: s.oneOfTexts(...AUDIT_EVENTS),
    by: s.told("User name of the account that acted.", s.orNull(s.text("anna"))),
    from: s.told("Address of the client, or `command line`.", s.orNull(s.text("192.0.2.7"))),
    about: s.told("User name of the account that it happened to.", s.orNull(s.TEXT)),
    detail: s.TEXT,
  }),
};
