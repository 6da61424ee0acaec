/** What narrows the records that a reference may name. */
import type { ErrorNode } from "../../errors.ts";
import { permalinkOf } from "../address/permalink.ts";
import { isObject, objectOf, own, type Json } from "../input/json.ts";
import { NOT_AN_OBJECT } from "../input/input-errors.ts";
import { PAGES_APP } from "../records/model-names.ts";
import type { FieldDefinition, FieldTarget } from "./definition.ts";
import type { FindModel } from "./kind.ts";

type TargetKey = keyof FieldTarget;

interface TargetRow {
  /** What is said of a value that cannot be meant. */
  readonly hint: string;
  /** The stored form of a value; undefined for none. */
  read(value: string, findModel: FindModel): string | undefined;
  /** Whether it tells records of a model apart. */
  narrows(model: string): boolean;
  /** As messages have it. */
  inWords(value: string): string;
}

const isOfPages = (model: string): boolean =>
  model === "cms.Page" || model === "cms.Article" || model.startsWith(PAGES_APP);

const ROWS: { readonly [key in TargetKey]-?: TargetRow } = {
  model: {
    hint: "The name of a page model is expected.",
    read: (value, findModel) => findModel(PAGES_APP + value)?.slice(PAGES_APP.length),
    narrows: (model) => model === "cms.Page",
    inWords: (value) => `of the page model "${value}"`,
  },
  meta_type: {
    hint: "The key of a meta type is expected.",
    read: (value) => value,
    narrows: (model) => model === "cms.MetaInstance",
    inWords: (value) => `of the meta type "${value}"`,
  },
  below: {
    hint: "The permalink of a page is expected, such as /journal.",
    read: (value) => (value.startsWith("/") ? permalinkOf(value) : undefined),
    narrows: isOfPages,
    inWords: (value) => `below ${value}`,
  },
};

export const TARGET_KEYS = Object.keys(ROWS) as readonly TargetKey[];

export function readTarget(
  sent: Json,
  findModel: FindModel,
): { readonly value: unknown } | { readonly error: ErrorNode } {
  if (!isObject(sent)) return { error: [NOT_AN_OBJECT(sent)] };
  const errors: [string, ErrorNode][] = [];
  const values: [string, string][] = [];
  for (const key of TARGET_KEYS) {
    const value = own(sent, key) ?? "";
    const found = typeof value === "string" ? value.trim() && ROWS[key].read(value.trim(), findModel) : undefined;
    if (found === undefined) errors.push([key, [ROWS[key].hint]]);
    else if (found !== "") values.push([key, found]);
  }
  if (errors.length > 0) return { error: objectOf(errors) };
  return { value: values.length > 0 ? objectOf(values) : undefined };
}

/** What does not fit the kind or the model of a field. */
export const targetProblems = ({ kind = "string", target_model: model, target = {} }: FieldDefinition): string[] =>
  TARGET_KEYS.filter((key) => target[key] !== undefined && !(model !== undefined && ROWS[key].narrows(model))).map(
    (key) =>
      `target.${key} does not narrow ${model === undefined ? `a field of the kind '${kind}'` : `records of '${model}'`}`,
  );

/** "of the page model "room" below /journal" */
export const targetInWords = (target: FieldTarget): string =>
  TARGET_KEYS.flatMap((key) => (target[key] === undefined ? [] : [ROWS[key].inWords(target[key])])).join(" ");
