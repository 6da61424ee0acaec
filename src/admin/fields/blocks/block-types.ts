/** The kinds of sections of the site, asked for once: definitions of fields are never sent with each value. */
import { signal } from "@preact/signals";
import type { BlockTypePayload } from "../../../library/payloads.ts";
import { get } from "../../api.ts";
import { plainWords } from "../../html-text.ts";
import { isList, isRecord, type Json, type Values } from "../../json.ts";
import type { Definitions, FieldDefinition } from "../definition.ts";

export type BlockType = Omit<BlockTypePayload, "template" | "preview">;

export const blockTypes = signal<readonly BlockType[]>([]);

let loading: Promise<void> | undefined;

/** Asks again, after they were changed. @throws ApiError */
export function refreshBlockTypes(): Promise<void> {
  loading = undefined;
  return loadBlockTypes();
}

/** @throws ApiError */
export async function loadBlockTypes(): Promise<void> {
  loading ??= get<readonly BlockType[]>("block-types/").then((found) => void (blockTypes.value = found));
  return loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
}

/** Those that a field takes, in the order in which it names them; where it names none, by category and label. */
export function typesOf({ types }: FieldDefinition): readonly BlockType[] {
  if (!types) return [...blockTypes.value].sort(byCategory);
  const taken = types.flatMap((each) =>
    blockTypes.value.filter(({ name, category }) => [name, `@${category}`, "*"].includes(each)),
  );
  return [...new Set(taken)];
}

/** Those without a category come last. */
const byCategory = (a: BlockType, b: BlockType): number =>
  Number(a.category === "") - Number(b.category === "") ||
  a.category.localeCompare(b.category) ||
  a.label.localeCompare(b.label);

const NO_FIELDS: Definitions = [];

/** The fields of a block, without those of every block. */
export const fieldsOfBlock = (block: Json): Definitions =>
  (isRecord(block) && blockTypes.value.find(({ name }) => name === block.type)?.schema) || NO_FIELDS;

/** An id as the service makes them: known before the first save, so that what is open stays open. */
export const newBlockId = (): string =>
  `b${[...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(1)}`;

/** A copy with new ids, at any depth, without keys that its type does not declare: it may come from another site. */
export function copiedBlock({ type = null, ...fields }: Values): Values {
  const names = new Set(["hidden", ...fieldsOfBlock({ type }).map(({ name }) => name)]);
  const known = Object.entries(fields).filter(([name]) => names.has(name));
  return {
    type,
    id: newBlockId(),
    ...Object.fromEntries(known.map(([name, value]) => [name, withNewIds(value)])),
  };
}

/** A value with copies of the blocks in it. */
function withNewIds(value: Json): Json {
  if (isList(value)) return value.map(withNewIds);
  if (!isRecord(value)) return value;
  if (typeof value.type === "string" && "id" in value) return copiedBlock(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNewIds(inner)]));
}

/** What tells a closed block from others of its type: its first text, in one line. */
export function firstWords(block: Values): string {
  for (const { name, kind = "string" } of fieldsOfBlock(block)) {
    const value = block[name];
    const found = typeof value === "string" && TEXTS.includes(kind) ? plainWords(value.slice(0, READ_MAX)) : "";
    if (found !== "") return found.length > WORDS_MAX ? `${found.slice(0, WORDS_MAX)}…` : found;
  }
  return "";
}

const TEXTS = ["string", "text", "textarea", "html", "email", "url", "phone"];
/** In characters. */
const WORDS_MAX = 80;
const READ_MAX = 1000;
