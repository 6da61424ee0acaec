/** The schema of what a page lists, the same in files and at the API. */
import { LIST_GROUPS, LIST_SIZE_MAX, LIST_SOURCES } from "../model/page/paginate.ts";
import * as s from "./json-schema.ts";

export const LIST_SCHEMA: s.Schema = {
  type: "object",
  properties: {
    of: s.told("What is listed: only what is public in the language.", s.oneOfTexts(...LIST_SOURCES)),
    model: s.told("Of pages: their model; without it the plain pages.", s.orNull(s.TEXT)),
    type: s.told("Of instances: the key of their meta type.", s.orNull(s.TEXT)),
    size: s.told("Items on a page.", { type: "integer", minimum: 1, maximum: LIST_SIZE_MAX }),
    where: s.told("A filter, as `fltr` of lists: tags=3.", s.orNull(s.TEXT)),
    sort: s.told("The order, as `sort` of lists: -published_at.", s.orNull(s.TEXT)),
    each: s.told(
      "What has a list of its own below the whole one: of articles each tag, author or year; of pages each year.",
      s.orNull(s.oneOfTexts(...LIST_GROUPS)),
    ),
  },
  required: ["of"],
  additionalProperties: false,
};
