/** The setting AUTH.OIDC: the providers of identities that accounts sign in by. */
import { isObject, type Json } from "../model/input/json.ts";
import { secretSource, type SecretSource } from "./secrets.ts";
import { lineOfText, settingType, type ReportProblem, type SettingType } from "./setting-types.ts";

export interface OidcProvider {
  /** In addresses. */
  readonly NAME: string;
  /** On the button that signs in. */
  readonly LABEL: string;
  /** Where the provider describes itself, below `/.well-known/openid-configuration`. */
  readonly ISSUER: string;
  readonly CLIENT_ID: string;
  /** null: a client without a secret. */
  readonly CLIENT_SECRET: SecretSource | null;
  readonly SCOPES: readonly string[];
  /** The claim with the groups of a person. */
  readonly GROUPS: string;
  /** Names of roles by group; a person in none of these groups is not let in. Empty: the roles of accounts are given here. */
  readonly ROLES: Readonly<Record<string, readonly string[]>>;
}

const KEYS = ["NAME", "LABEL", "ISSUER", "CLIENT_ID", "CLIENT_SECRET", "SCOPES", "GROUPS", "ROLES"];
const PROVIDERS_MAX = 10;
const NAME = /^[a-z][a-z0-9-]{0,30}$/;
const ROLE = /^[a-z][a-z0-9_-]{0,49}$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const TEXTS = { type: "array", items: { type: "string" } };

const SCHEMA = {
  type: "array",
  maxItems: PROVIDERS_MAX,
  items: {
    type: "object",
    properties: {
      NAME: { type: "string", pattern: NAME.source },
      LABEL: lineOfText.schema,
      ISSUER: { type: "string", pattern: "^https?://" },
      CLIENT_ID: lineOfText.schema,
      CLIENT_SECRET: { anyOf: [secretSource.schema, { type: "null" }] },
      SCOPES: TEXTS,
      GROUPS: { type: "string" },
      ROLES: { type: "object", additionalProperties: { anyOf: [{ type: "string" }, TEXTS] } },
    },
    required: ["NAME", "ISSUER", "CLIENT_ID"],
    additionalProperties: false,
  },
};

export const oidcProviders: SettingType<readonly OidcProvider[]> = settingType(SCHEMA, (value, path, report) => {
  if (!Array.isArray(value) || value.length > PROVIDERS_MAX)
    return report(path, value, `a list of up to ${PROVIDERS_MAX} providers, each with NAME, ISSUER and CLIENT_ID`);
  const read = value.map((item: unknown, at) => provider(item, `${path}.${at}`, report));
  const names = read.map((each) => each?.NAME);
  const twice = names.findIndex((name, at) => name !== undefined && names.indexOf(name) < at);
  if (twice >= 0) return report(`${path}.${twice}.NAME`, names[twice], "each name once");
  return read.includes(undefined) ? undefined : (read as OidcProvider[]);
});

function provider(value: unknown, path: string, report: ReportProblem): OidcProvider | undefined {
  if (!isObject(value)) return report(path, value, KEYS.join(", "));
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key));
  for (const key of unknown) report(`${path}.${key}`, value[key], `only ${KEYS.join(", ")}`);
  const { NAME: name, LABEL = name, ISSUER, CLIENT_ID, CLIENT_SECRET = null, GROUPS = "groups", ROLES = {} } = value;
  const { SCOPES = ["openid", "profile", "email"] } = value;
  const isName = typeof name === "string" && NAME.test(name);
  if (!isName) report(`${path}.NAME`, name, "a name in lower case, such as company");
  const label = lineOfText(LABEL, `${path}.LABEL`, report);
  const issuer = issuerAddress(ISSUER, `${path}.ISSUER`, report);
  const client = lineOfText(CLIENT_ID, `${path}.CLIENT_ID`, report);
  const secret = CLIENT_SECRET === null ? null : secretSource(CLIENT_SECRET, `${path}.CLIENT_SECRET`, report);
  const isScopes =
    Array.isArray(SCOPES) && SCOPES.every((each) => typeof each === "string" && /^[\x21-\x7e]+$/.test(each));
  const scopes = isScopes && SCOPES.includes("openid") ? (SCOPES as string[]) : undefined;
  if (!scopes) report(`${path}.SCOPES`, SCOPES, "a list of scopes, openid among them");
  const groups = lineOfText(GROUPS, `${path}.GROUPS`, report);
  const roles = rolesByGroup(ROLES, `${path}.ROLES`, report);
  if (!isName || label === undefined || issuer === undefined || client === undefined || secret === undefined)
    return undefined;
  if (!scopes || groups === undefined || !roles || unknown.length > 0) return undefined;
  return {
    ...{ NAME: name, LABEL: label, ISSUER: issuer, CLIENT_ID: client, CLIENT_SECRET: secret },
    ...{ SCOPES: scopes, GROUPS: groups, ROLES: roles },
  };
}

/** Over TLS, or on this machine: what it answers decides who is who. */
function issuerAddress(value: unknown, path: string, report: ReportProblem): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  return url && isSafe && url.search === "" && url.hash === "" && url.username === ""
    ? (value as string)
    : report(path, value, "an address that begins with https://");
}

function rolesByGroup(value: Json, path: string, report: ReportProblem): OidcProvider["ROLES"] | undefined {
  if (!isObject(value)) return report(path, value, "a mapping of groups to roles, such as { web: editor }");
  const entries = Object.entries(value).map(([group, roles]) => [group, [roles].flat()] as const);
  const wrong = entries.filter(([, roles]) => !roles.every((role) => typeof role === "string" && ROLE.test(role)));
  for (const [group] of wrong) report(`${path}.${group}`, value[group], "the name of a role, or a list of them");
  return wrong.length > 0 ? undefined : (Object.fromEntries(entries) as OidcProvider["ROLES"]);
}
