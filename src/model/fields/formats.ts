/** Lines of text with a format: addresses, numbers of telephones, colors, times of day. Each is stored as a text. */
import { NOT_A_STRING } from "../input/input-errors.ts";
import type { Json } from "../input/json.ts";
import { CANONICAL, URL_FORM } from "./canonical.ts";
import type { FieldDefinition, JsonSchema } from "./definition.ts";
import type { FieldKind } from "./kind.ts";
import { lengths } from "./plain-kinds.ts";

interface Format {
  /** Accepts exactly the valid texts. It is part of the JSON Schema, where it has no flag but `u`. */
  readonly pattern: RegExp;
  /** In the JSON Schema, where it has a name for this format. */
  readonly format?: string;
  readonly message: string;
  readonly sample: string;
  readonly normalize: (value: Json) => Json;
}

const formatKind = ({ pattern, format, message, sample, normalize }: Format): FieldKind => ({
  isText: true,
  schema: (definition: FieldDefinition): JsonSchema => ({
    type: "string",
    ...(format !== undefined && { format }),
    pattern: pattern.source,
    ...lengths(definition),
    examples: [sample],
  }),
  normalize,
  typeError: (value) => [typeof value === "string" ? message : NOT_A_STRING],
});

const ATOM = "[A-Za-z0-9!#$%&'*+\\/=?^_`{|}~-]{1,64}";
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

export const email = formatKind({
  // linear: "@" and "." are in no run of characters beside them, and every part of the domain is bounded.
  pattern: new RegExp(`^${ATOM}(?:\\.${ATOM}){0,8}@(?:${LABEL}\\.){1,8}${LABEL}$`, "u"),
  format: "email",
  message: "Enter a valid email address.",
  sample: "ada@example.org",
  normalize: CANONICAL.email,
});

export const url = formatKind({
  pattern: URL_FORM,
  format: "uri",
  message: "Enter a valid URL that begins with http:// or https://.",
  sample: "https://example.org/",
  normalize: CANONICAL.url,
});

export const phone = formatKind({
  // linear: every run is bounded, so that no text takes more than a fixed number of steps.
  pattern: /^\+?[0-9(][0-9 ()./-]{1,38}[0-9](?: ?(?:x|ext\.?) ?[0-9]{1,6})?$/u,
  message: "Enter a phone number of digits, spaces and + ( ) . / -",
  sample: "+39 02 1234-5678",
  normalize: CANONICAL.phone,
});

export const color = formatKind({
  pattern: /^#[0-9a-f]{6}$/u,
  message: 'Enter a color as "#rrggbb".',
  sample: "#a1b2c3",
  normalize: CANONICAL.color,
});

/** A time of day, without a zone. Its seconds are left out where they are zero. */
export const time = formatKind({
  pattern: /^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::(?:0[1-9]|[1-5][0-9]))?$/u,
  message: "Time has wrong format. Use one of these formats instead: hh:mm[:ss].",
  sample: "06:30",
  normalize: CANONICAL.time,
});
