/** The type of the setting `REVIEW.REQUIRED`. */
import { isObject } from "../model/input/json.ts";
import { languageId, listOf, settingType, wholeNumberSetting, type SettingType } from "./setting-types.ts";

export interface ReviewRule {
  /** Page models; null: all. */
  readonly MODELS: readonly string[] | null;
  /** The permalink of a page in the default language, or its id: this page and those below it; null: everywhere. */
  readonly BELOW: string | number | null;
  /** null: all. */
  readonly LANGUAGES: readonly string[] | null;
  readonly APPROVALS: number;
}

const KEYS = ["MODELS", "BELOW", "LANGUAGES", "APPROVALS"];
const MODEL = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/;
const approvals = wholeNumberSetting(1, 20);
const below: SettingType<string | number> = settingType(
  {
    anyOf: [
      { type: "string", pattern: "^/." },
      { type: "integer", minimum: 1 },
    ],
  },
  (value, path, report) => {
    if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
    if (typeof value === "string" && /^\/[^/]/.test(value)) return value.replace(/\/$/, "");
    return report(path, value, "the permalink of a page such as /journal, or its id");
  },
);
const model: SettingType<string> = settingType({ type: "string", pattern: MODEL.source }, (value, path, report) =>
  typeof value === "string" && MODEL.test(value) ? value : report(path, value, "the name of a page model"),
);

/** A key that is left out is no condition; without `APPROVALS` one is needed. */
const reviewRule: SettingType<ReviewRule> = settingType(
  {
    type: "object",
    properties: {
      MODELS: { type: "array", minItems: 1, items: model.schema },
      BELOW: below.schema,
      LANGUAGES: { type: "array", minItems: 1, items: languageId.schema },
      APPROVALS: approvals.schema,
    },
    additionalProperties: false,
  },
  (value, path, report) => {
    if (!isObject(value)) return report(path, value, `a mapping with some of ${KEYS.join(", ")}`);
    let isWrong = false;
    const wrong: typeof report = (...found) => {
      isWrong = true;
      return report(...found);
    };
    const read = <T>(key: string, type: SettingType<T>): T | null => {
      const sent = value[key] ?? null;
      if (sent === null) return null;
      // An empty list would hold nowhere, and reads as if it held everywhere.
      if (Array.isArray(sent) && sent.length === 0) return wrong(`${path}.${key}`, sent, "at least one") ?? null;
      return type(sent, `${path}.${key}`, wrong) ?? null;
    };
    for (const key of Object.keys(value))
      if (!KEYS.includes(key)) wrong(`${path}.${key}`, value[key], `only ${KEYS.join(", ")}`);
    const rule = {
      MODELS: read("MODELS", listOf(model)),
      BELOW: read("BELOW", below),
      LANGUAGES: read("LANGUAGES", listOf(languageId)),
      APPROVALS: read("APPROVALS", approvals) ?? 1,
    };
    return isWrong ? undefined : rule;
  },
);

export const reviewRules: SettingType<readonly ReviewRule[]> = listOf(reviewRule);
