/** Parameters that several operations have, as the description of the API has them. */
import { FIELDS_MAX, ITEMS_MAX, PAGE_SIZE } from "../../model/lists/query.ts";
import type { Lang } from "../../model/language/locale.ts";
import { COUNT, ID, oneOfTexts, text, type Schema, type Schemas } from "../../schema/json-schema.ts";
import { CONTENT_PARAMETERS } from "../public/other-content.ts";
import type { Operation, Parameter } from "./operation.ts";

/** By name in the path. */
export const PATH_PARAMETERS: Schemas = {
  id: { ...ID, description: "Id of the record." },
  key: { ...text("main"), description: "Key or id of the menu." },
  model: { ...text("room"), description: "Name of the page model: of its file below content/page-models." },
  name: {
    ...text("spring"),
    description: "Name of the record: of its file below content/releases or content/reviews.",
  },
  comment: { ...ID, description: "Id of the comment in its thread." },
  link: { ...text("3mq0TrvJ9mFzQxkD"), description: "Id of the preview link." },
  version: { ...text("5d41402a"), description: "A commit, as the list of revisions has it; may be shortened." },
  type: { ...COUNT, description: "Id of a page model, as the list of page models has it." },
  path: {
    ...text("about-us/"),
    description:
      "Path of the page with the prefix of its language; the final slash matters. Slashes are sent as they are.",
  },
};

export const FIELDS: Parameter = {
  name: "fields",
  description:
    `Keys that the answer is reduced to, separated by commas, ${FIELDS_MAX} at most; \`parent_page__title\` is a key of a ` +
    "nested record. Then other keys are missing, also those that the schema requires.",
  schema: text("id,title"),
};

const LIST: readonly Parameter[] = [
  {
    name: "items",
    description:
      "Records a page: then the answer is a page with a paginator. " +
      `Without a value ${PAGE_SIZE}, at most ${ITEMS_MAX}, -1 for all on one page.`,
    schema: { anyOf: [{ type: "integer", minimum: -1, maximum: ITEMS_MAX }, { const: "" }], examples: [20] },
  },
  { name: "page", description: "Number of the page, from 1.", schema: { type: "integer", examples: [1] } },
  {
    name: "sort",
    description: "Keys to sort by, separated by commas; `-` before a key reverses it.",
    schema: text("-published_at,title"),
  },
  { name: "order", description: "`desc` reverses the whole order.", schema: oneOfTexts("asc", "desc") },
  {
    name: "search",
    description:
      "Parts of words that the main fields must contain, without case; those in quotes stand together. " +
      "Without `sort`, the records that fit best come first where there are several words.",
    schema: text("old harbour"),
  },
  {
    name: "fltr",
    description: "A condition on fields; all given ones must hold. docs/api.md has their grammar.",
    schema: text("status=PUB AND title__icontains=harbour"),
    isRepeated: true,
  },
  FIELDS,
];

export const LANGUAGE = "language";

const language = (codes: readonly Lang[]): Parameter => ({
  name: LANGUAGE,
  description: "The active language; without it that of the cookie or of `Accept-Language`, else the default one.",
  schema: oneOfTexts(...codes),
});

/** @param isRead whether the operation is a GET */
export function queryOf(operation: Operation, isRead: boolean, codes: readonly Lang[]): readonly Parameter[] {
  return [
    ...(operation.isList || operation.isListing ? LIST : []),
    ...(operation.isVersioned && isRead ? [FIELDS] : []),
    ...(operation.isLocalized ? [language(codes)] : []),
    ...(operation.query ?? []),
    ...(isRead ? CONTENT_PARAMETERS : []),
  ];
}

interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

/** The header that makes an operation conditional; undefined for one without versions. */
export function conditionOf(
  { isVersioned, isConditional, status }: Operation,
  isRead: boolean,
): HeaderParameter | undefined {
  if ((!isVersioned && !isConditional) || status === 201) return undefined;
  return isRead
    ? {
        name: "If-None-Match",
        description: "A version that the client has: the answer is 304 while it is the current one.",
        schema: text('"5d41402abc4b2a76"'),
      }
    : {
        name: "If-Match",
        description: "The version that the write was made on: it is refused with 412 when the record has another one.",
        schema: text('"5d41402abc4b2a76"'),
      };
}
