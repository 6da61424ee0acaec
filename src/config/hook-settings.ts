/** The setting HOOKS: the listeners that are told of changes. */
import { isObject } from "../model/input/json.ts";
import { HIDDEN_VALUE, secretSource, type SecretSource } from "./secrets.ts";
import { flag, settingType, type ReportProblem, type SettingType } from "./setting-types.ts";

export const HOOK_EVENTS = ["change", "publish", "schedule", "media", "conflict", "comment", "review"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface HookSetting {
  readonly URL: string;
  /** Where the key of its signatures is; null: deliveries are not signed. */
  readonly SECRET: SecretSource | null;
  readonly EVENTS: readonly HookEvent[];
  /** Whether its address may be a loopback or private one. */
  readonly PRIVATE: boolean;
}

const KEYS = ["URL", "SECRET", "EVENTS", "PRIVATE"];
const HOOKS_MAX = 20;

const HOOKS_SCHEMA = {
  type: "array",
  maxItems: HOOKS_MAX,
  items: {
    type: "object",
    properties: {
      URL: { type: "string", pattern: "^https?://" },
      SECRET: { anyOf: [secretSource.schema, { type: "null" }] },
      EVENTS: { type: "array", minItems: 1, items: { enum: HOOK_EVENTS } },
      PRIVATE: flag.schema,
    },
    required: ["URL"],
    additionalProperties: false,
  },
};

/** Errors do not show the values found: a secret may stand where it must not. */
export const hooks: SettingType<readonly HookSetting[]> = settingType(HOOKS_SCHEMA, (value, path, report) => {
  const isList = Array.isArray(value) && value.length <= HOOKS_MAX;
  if (!isList) return report(path, HIDDEN_VALUE, `a list of up to ${HOOKS_MAX} hooks, each with URL`);
  const items = value.map((item, index) => hook(item, `${path}.${index}`, report));
  return items.includes(undefined) ? undefined : (items as HookSetting[]);
});

const hook = (value: unknown, path: string, report: ReportProblem): HookSetting | undefined => {
  if (!isObject(value)) return report(path, HIDDEN_VALUE, KEYS.join(", "));
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key));
  for (const key of unknown) report(`${path}.${key}`, HIDDEN_VALUE, `only ${KEYS.join(", ")}`);
  const { SECRET = null, EVENTS = HOOK_EVENTS, PRIVATE = false } = value;
  const url = listenerUrl(value.URL, `${path}.URL`, report);
  const secret = SECRET === null ? null : secretSource(SECRET, `${path}.SECRET`, report);
  const events = eventList(EVENTS, `${path}.EVENTS`, report);
  const isPrivate = flag(PRIVATE, `${path}.PRIVATE`, report);
  if (url === undefined || secret === undefined || events === undefined || isPrivate === undefined) return undefined;
  return unknown.length > 0 ? undefined : { URL: url, SECRET: secret, EVENTS: events, PRIVATE: isPrivate };
};

const listenerUrl = (value: unknown, path: string, report: ReportProblem): string | undefined => {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? url.href
    : report(path, HIDDEN_VALUE, "an address that begins with https:// or http://, without a user or password");
};

function eventList(value: unknown, path: string, report: ReportProblem): readonly HookEvent[] | undefined {
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  const found = HOOK_EVENTS.filter((event) => names.includes(event));
  return found.length > 0 && found.length === names.length
    ? found
    : report(path, value, `a list of some of ${HOOK_EVENTS.join(", ")}`);
}
