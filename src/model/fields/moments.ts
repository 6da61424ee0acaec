/**
 * Dates and datetimes.
 *
 * Unlike the timestamps of pages these keep their zone, or none. The schemas use patterns, since many
 * validators treat `format` as an annotation.
 */
import { CANONICAL } from "./canonical.ts";
import type { JsonSchema } from "./definition.ts";
import type { FieldKind } from "./kind.ts";

/** Valid dates from the year 1 on, with leap years. */
const DAY =
  "(?!0000)(?:[0-9]{4}-" +
  "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)" +
  "|02-(?:0[1-9]|1[0-9]|2[0-8]))" +
  "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";
const TIME = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?";
const ZONE = "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";

const ZONED: JsonSchema = { format: "date-time", pattern: `^${DAY}${TIME}${ZONE}$` };
const UNZONED: JsonSchema = { pattern: `^${DAY}${TIME}$` };

export const date: FieldKind = {
  schema: () => ({ type: "string", format: "date", pattern: `^${DAY}$` }),
  normalize: CANONICAL.date,
  typeError: (value) =>
    typeof value === "string" && /^\d{4}-\d{2}-\d{2}[T ]\d/i.test(value.trim())
      ? ["Expected a date but got a datetime."]
      : ["Date has wrong format. Use one of these formats instead: YYYY-MM-DD."],
};

export const datetime: FieldKind = {
  schema: () => ({ type: "string", anyOf: [ZONED, UNZONED] }),
  normalize: CANONICAL.datetime,
  typeError: () => [
    "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].",
  ],
};
