/** What can be set of a field of a type, by its kind, as fields of a form. */
import type { KindName } from "../../model/fields/definition.ts";
import { get } from "../api.ts";
import { blockTypes, loadBlockTypes } from "../fields/blocks/block-types.ts";
import type { Definitions, FieldDefinition } from "../fields/definition.ts";
import { text } from "../i18n.ts";
import { isList, isRecord, type Json, type Values } from "../json.ts";
import type { TextKey } from "../texts/en.ts";

export const KINDS = {
  string: "kindString",
  text: "kindText",
  textarea: "kindTextarea",
  html: "kindHtml",
  email: "kindEmail",
  url: "kindUrl",
  phone: "kindPhone",
  integer: "kindInteger",
  number: "kindNumber",
  boolean: "kindBoolean",
  date: "kindDate",
  datetime: "kindDatetime",
  time: "kindTime",
  color: "kindColor",
  location: "kindLocation",
  select: "kindSelect",
  media: "kindMedia",
  ref: "kindRef",
  queryset: "kindQueryset",
  permalink: "kindPermalink",
  group: "kindGroup",
  list: "kindList",
  blocks: "kindBlocks",
} as const satisfies Readonly<Record<KindName, TextKey>>;

/** The models that references may have as their target; page models of the site have names of their own. */
const MODELS: Readonly<Record<string, TextKey>> = {
  "cms.Page": "pages",
  "cms.Article": "articles",
  "cms.Tag": "tags",
  "cms.Media": "media",
  "cms.MediaFolder": "folders",
  "cms.MetaType": "types",
  "cms.MetaInstance": "instances",
  "cms.Menu": "menus",
  "cms.Content": "blocks",
  "auth.User": "accounts",
};

/** The keys of `target` by their labels. */
const TARGETS: { readonly [label in TextKey]?: string } = {
  targetPageModel: "model",
  targetBelow: "below",
  targetType: "meta_type",
};

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export async function targetModels(): Promise<readonly Choice[]> {
  const [models] = await Promise.all([get<readonly { readonly name: string }[]>("page-models/"), loadBlockTypes()]);
  const own = models.map(({ name }) => (name.includes(".") ? name : `pages.${name}`));
  return [
    ...Object.entries(MODELS).map(([value, key]) => ({ value, label: text(key) })),
    ...own.map((value) => ({ value, label: text("pagesOfModel", { name: value.replace("pages.", "") }) })),
  ];
}

const sectionTypes = (): readonly Choice[] => blockTypes.value.map(({ name, label }) => ({ value: name, label }));

/** A kind of a plugin by its own name. */
export const kindName = (kind: string): string => (kind in KINDS ? text(KINDS[kind as keyof typeof KINDS]) : kind);

const kindChoices = (kind: string): readonly Choice[] =>
  [...new Set([...Object.keys(KINDS), kind])].map((value) => ({ value, label: kindName(value) }));

/** Those of every kind come first. @param models see `targetModels` */
export function settingsOf(kind: string, models: readonly Choice[], targetModel = ""): Definitions {
  const field = (
    name: string,
    label: TextKey,
    more: Omit<FieldDefinition, "name" | "label"> = {},
  ): FieldDefinition => ({
    name,
    label: text(label),
    ...more,
  });
  const placeholder = field("placeholder", "placeholder");
  const lengths = [
    field("min_length", "minLength", { kind: "integer", minimum: 0 }),
    field("max_length", "maxLength", { kind: "integer", minimum: 0 }),
  ];
  const textual = [...lengths, placeholder, field("pattern", "pattern"), field("message", "patternMessage")];
  const limits = [field("minimum", "minimum", { kind: "number" }), field("maximum", "maximum", { kind: "number" })];
  const target = field("target_model", "targetModel", { kind: "select", required: true, choices: models });
  const narrowing: Readonly<Record<string, readonly TextKey[]>> = {
    "cms.Page": ["targetPageModel", "targetBelow"],
    "cms.Article": ["targetBelow"],
    "cms.MetaInstance": ["targetType"],
  };
  const narrowed = narrowing[targetModel] ?? (targetModel.startsWith("pages.") ? ["targetBelow" as const] : []);
  const targets = [
    target,
    ...(narrowed.length === 0
      ? []
      : [field("target", "target", { kind: "group", children: narrowed.map((key) => field(TARGETS[key]!, key)) })]),
  ];
  const option = [field("value", "choiceValue", { required: true, isNeverNull: true }), field("label", "choiceLabel")];
  const OWN: Readonly<Record<string, Definitions>> = {
    string: [field("multiline", "multiline", { kind: "boolean" }), ...textual],
    ...Object.fromEntries(["text", "textarea", "email", "url", "phone"].map((name) => [name, textual])),
    color: [placeholder],
    integer: [...limits, placeholder],
    number: [field("integer", "wholeNumbers", { kind: "boolean" }), ...limits, placeholder],
    select: [
      field("choices", "choices", { kind: "list", children: option }),
      field("multiple", "multiple", { kind: "boolean" }),
    ],
    ref: targets,
    queryset: targets,
    blocks: [
      field("types", "sectionTypes", { kind: "select", multiple: true, choices: sectionTypes() }),
      field("minimum", "minimum", { kind: "integer", minimum: 0 }),
      field("maximum", "maximum", { kind: "integer", minimum: 0 }),
    ],
  };
  return [
    field("label", "fieldLabel", { required: true, isNeverNull: true }),
    field("name", "fieldName", { required: true, isNeverNull: true }),
    field("kind", "fieldKind", { kind: "select", required: true, choices: kindChoices(kind) }),
    field("required", "fieldRequired", { kind: "boolean" }),
    field("translated", "fieldTranslated", { kind: "boolean" }),
    ...(OWN[kind] ?? []),
    field("help", "fieldHelp"),
    field("group", "fieldGroup", { hint: text("fieldGroupHint") }),
  ];
}

export const hasChildren = (kind: string): boolean => kind === "group" || kind === "list";

/** The definitions without settings that are empty, or of a kind that was chosen before. */
export function sentDefinitions(fields: Json | undefined): Json {
  if (!isList(fields)) return [];
  return fields.filter(isRecord).map((field) => {
    const kind = String(field.kind ?? "string");
    const names = ["show_if", ...settingsOf(kind, [], String(field.target_model ?? "")).map(({ name }) => name)];
    const isKnown = kind in KINDS;
    const own = Object.entries(field).filter(
      ([name, value]) =>
        name === "name" ||
        ((!isKnown || names.includes(name)) &&
          value !== null &&
          value !== "" &&
          value !== false &&
          !(isRecord(value) && Object.keys(value).length === 0) &&
          name !== "children"),
    );
    return { ...Object.fromEntries(own), ...(hasChildren(kind) && { children: sentDefinitions(field.children) }) };
  });
}

/** A name for a label: `Opening hours` as `opening_hours`. */
export const nameOf = (label: string): string =>
  label
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== "")
    .join("_");

export const labelIn = (field: Values): string => String(field.label || field.name || text("newField"));
