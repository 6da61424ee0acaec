/** Values made from JSON Schemas: one that is valid, and ones with a single fault. */

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface WrongBody {
  readonly body: unknown;
  /** The key whose value is at fault; undefined where the body as a whole is. */
  readonly place?: string;
}

const HOSTILE = [
  "\u0000",
  "<script>alert(1)</script>",
  "{{ 7 * 7 }}",
  "../../etc/passwd",
  "\ud800",
  "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
  "x".repeat(70_000),
  "__proto__",
];

function resolved(schema: Json, document: Json): Json {
  if (typeof schema?.$ref !== "string") return schema;
  const found = schema.$ref
    .slice(2)
    .split("/")
    .reduce((at: Json, key: string) => at[decodeURIComponent(key)], document);
  return resolved(found, document);
}

/** The properties of an object schema, those of its parts included, and which of them are required. */
export function shapeOf(schema: Json, document: Json): { properties: Record<string, Json>; required: string[] } {
  const here = resolved(schema, document);
  const parts = [...(here.allOf ?? [])].map((part: Json) => shapeOf(part, document));
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), here.properties),
    required: [...parts.flatMap(({ required }) => required), ...(here.required ?? [])],
  };
}

/** The example of a schema, or a small value that it accepts. */
export function sampleOf(schema: Json, document: Json, depth = 0): Json {
  const here = resolved(schema, document);
  if (here.const !== undefined) return here.const;
  if (here.enum) return here.enum[0];
  if (here.examples) return here.examples[0];
  const choices = here.anyOf ?? here.oneOf;
  if (choices) return sampleOf(choices[0], document, depth);
  const type = Array.isArray(here.type) ? here.type[0] : here.type;
  if (type === "array") return depth > 4 || !here.items ? [] : [sampleOf(here.items, document, depth + 1)];
  if (type === "object" || here.allOf) {
    const { properties, required } = shapeOf(here, document);
    return Object.fromEntries(required.map((key) => [key, sampleOf(properties[key] ?? {}, document, depth + 1)]));
  }
  if (type === "integer" || type === "number") return here.minimum ?? 1;
  if (type === "boolean") return true;
  return type === "null" ? null : "text";
}

/**
 * The body as the service reads it, as the description says: a number is its text where texts are, an empty text is null,
 * and what is not an object is an empty one.
 */
export function readingsOf(body: unknown, place: string | undefined): readonly unknown[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [{}];
  if (place === undefined) return [];
  const value = (body as Json)[place];
  if (typeof value === "number") return [{ ...body, [place]: String(value) }];
  return value === "" ? [{ ...body, [place]: null }] : [];
}

/** Bodies with one fault each: a value of another type or size, a key that is missing or unknown, or no object at all. */
export function wrongBodies(schema: Json, good: Json, document: Json): WrongBody[] {
  const wholes = [null, [], "text", 7, true, [[[[[[]]]]]], nested(200)].map((body) => ({ body }));
  if (good === null || typeof good !== "object" || Array.isArray(good)) return wholes;
  const { properties, required } = shapeOf(schema, document);
  const values = [null, -1e308, true, {}, [null], ""];
  const wrong = Object.keys(properties).flatMap((key, at) =>
    [values[at % 6], values[(at + 2) % 6], HOSTILE[at % HOSTILE.length]].map((value) => ({
      body: { ...good, [key]: value },
      place: key,
    })),
  );
  const missing = required.map((key) => ({
    body: Object.fromEntries(Object.entries(good).filter(([name]) => name !== key)),
    place: key,
  }));
  return [...wholes, ...wrong, ...missing, { body: { ...good, an_unknown_key: 1 }, place: "an_unknown_key" }];
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = at % 2 ? [value] : { a: value };
  return value;
}
