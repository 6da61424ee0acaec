/** Definitions of fields as YAML: the text of a list, the list of a text, and the places of messages in it. */
import { isNode, parseDocument, stringify, type Document } from "yaml";
import { isList, type Json } from "../json.ts";

/** A message at a place of the text. */
export interface Finding {
  /** The offsets of its first character and after its last one. */
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export const yamlOf = (fields: Json | undefined): string =>
  isList(fields) && fields.length > 0 ? stringify(fields, { lineWidth: 0 }) : "";

export interface ReadYaml {
  /** undefined: the text is no list of mappings. */
  readonly fields: readonly Json[] | undefined;
  readonly findings: readonly Finding[];
}

/** @param notList the message for a text that is something else */
export function readYaml(text: string, notList: string): ReadYaml {
  const document = parseDocument(text);
  const wrong = document.errors.map(({ message, pos: [from, to] }) =>
    findingAt(text, from, to, message.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "")),
  );
  if (wrong.length > 0) return { fields: undefined, findings: wrong };
  try {
    const value = document.toJS({ maxAliasCount: 100 }) as Json;
    if (value === null) return { fields: [], findings: [] };
    if (isList(value)) return { fields: value, findings: [] };
    return { fields: undefined, findings: [findingAt(text, 0, text.length, notList)] };
  } catch (error) {
    return { fields: undefined, findings: [findingAt(text, 0, text.length, (error as Error).message)] };
  }
}

/** @param errors of the API, by paths that begin with `name` */
export function placeErrors(
  text: string,
  errors: Readonly<Record<string, readonly string[]>>,
  name: string,
): Finding[] {
  const document = parseDocument(text);
  return Object.entries(errors).flatMap(([path, messages]) => {
    const [first, ...keys] = path.split(".");
    if (first !== name) return [];
    const [from, to] = rangeOf(document, keys) ?? [0, text.length];
    return messages.map((message) => findingAt(text, from, to, message));
  });
}

/** The range of the nearest node that is there. */
function rangeOf(document: Document, keys: readonly string[]): readonly [number, number] | undefined {
  for (let length = keys.length; length > 0; length--) {
    const path = keys.slice(0, length).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return [node.range[0], node.range[1]];
  }
  return undefined;
}

/** On one line: what is below a wrong value is not wrong. */
function findingAt(text: string, from: number, to: number, message: string): Finding {
  const start = Math.min(from, text.length);
  const end = text.indexOf("\n", start);
  const line = text.slice(0, start).split("\n").length;
  return { from: start, to: Math.max(start, Math.min(to, end < 0 ? text.length : end)), line, message };
}
