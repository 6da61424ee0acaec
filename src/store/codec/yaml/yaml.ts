/**
 * Parsing YAML texts to JSON data.
 *
 * The language is YAML 1.2 with its core schema, limited to what JSON can hold: dates, `no` and `12:30` are strings; tags,
 * merge keys and several documents are refused. js-yaml parses, since it is fast and bounded.
 */
import {
  constructFromEvents,
  CORE_SCHEMA,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
  parseEvents,
  type Event,
} from "js-yaml";
import type { Json } from "../../../model/input/json.ts";
import { FileError } from "../file-error.ts";
import { checkEvents, checkSize, LIMITS } from "./guard.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { asFileError, InexactNumber } from "./yaml-errors.ts";

/**
 * The data of a YAML text; null for a text without content.
 *
 * Keys such as `__proto__` are data. Aliases make objects appear in several places.
 *
 * @param path only for messages
 * @throws FileError
 */
export function parseYaml(text: string, path: string): Json {
  return readPlainYaml(text) ?? parseFullYaml(text, path);
}

/** As `parseYaml`, always by js-yaml. */
export function parseFullYaml(text: string, path: string): Json {
  const events = readEvents(text, path);
  try {
    const [value] = constructFromEvents(events, { source: text, schema: SCHEMA });
    if (events.some((event) => "anchorStart" in event && event.anchorStart >= 0)) checkExpansion(value, path);
    // The cast is safe: the schema builds only strings, finite numbers, booleans, null, arrays and plain objects.
    return (value ?? null) as Json;
  } catch (error) {
    throw asFileError(error, text, path, events);
  }
}

/**
 * The parser's events after checking all limits: a text that passes is safe for the `yaml` package too.
 *
 * @throws FileError
 */
export function readEvents(text: string, path: string): Event[] {
  checkSize(text, path);
  try {
    const events = parseEvents(text, { maxDepth: LIMITS.depth });
    checkEvents(text, events, path);
    return events;
  } catch (error) {
    throw asFileError(error, text, path, []);
  }
}

/** What YAML of another program holds, and whether a key stands twice in one of its mappings. */
export interface ForeignYaml {
  /** Numbers that JSON has not, or not with all their digits, are texts. Of a key that stands twice, the last value. */
  readonly value: Json;
  readonly hasDuplicates: boolean;
}

/**
 * The data of a YAML text of another program: with merge keys, keys that stand twice, and numbers of any size.
 *
 * @throws FileError, also for tags, several documents and texts that are larger or deeper than content files may be
 */
export function parseForeignYaml(text: string, path: string): ForeignYaml {
  checkSize(text, path);
  let events: Event[] = [];
  try {
    events = parseEvents(text, { maxDepth: LIMITS.depth });
    if (events.length > LIMITS.nodes) throw new FileError(path, `has more than ${LIMITS.nodes} values`);
    const documents = constructFromEvents(events, { source: text, schema: FOREIGN, json: true });
    if (documents.length > 1) throw new FileError(path, "holds more than one document");
    checkExpansion(documents[0], path);
    return { value: (documents[0] ?? null) as Json, hasDuplicates: hasDuplicates(events, text) };
  } catch (error) {
    throw asFileError(error, text, path, events);
  }
}

function hasDuplicates(events: Event[], source: string): boolean {
  try {
    constructFromEvents(events, { source, schema: FOREIGN });
    return false;
  } catch {
    return true;
  }
}

/** A number tag of the core schema that refuses numbers JavaScript cannot represent exactly. */
const exact = (tag: typeof intCoreTag, isExact: (source: string, value: number) => boolean) =>
  defineScalarTag<number>(tag.tagName, {
    ...tag,
    resolve: (source, isExplicit, tagName) => {
      const value = tag.resolve(source, isExplicit, tagName);
      if (value !== NOT_RESOLVED && !isExact(source, value)) throw new InexactNumber(source);
      return value;
    },
  });

const SCHEMA = CORE_SCHEMA.withTags(
  exact(intCoreTag, (source, value) => Number.isSafeInteger(value) || String(value) === source),
  exact(floatCoreTag, (_, value) => Number.isFinite(value)),
);

/** A number tag that leaves a number as its text where JavaScript cannot represent it exactly. */
const orText = (tag: typeof intCoreTag, isExact: (value: number) => boolean) =>
  defineScalarTag<number | string>(tag.tagName, {
    ...tag,
    resolve: (source, isExplicit, tagName) => {
      const value = tag.resolve(source, isExplicit, tagName);
      return value === NOT_RESOLVED || isExact(value) ? value : source;
    },
  });

const FOREIGN = CORE_SCHEMA.withTags(
  mergeTag,
  orText(intCoreTag, Number.isSafeInteger),
  orText(floatCoreTag, Number.isFinite),
);

/** Limits the size after expanding aliases: a short text can mean data of any size, or a value that contains itself. */
function checkExpansion(value: unknown, path: string): void {
  const open = [value];
  for (let nodes = 0; open.length > 0; nodes++) {
    const next = open.pop();
    if (nodes > LIMITS.expanded) throw new FileError(path, "has aliases that repeat too much: write the values out");
    if (typeof next === "object" && next !== null) open.push(...Object.values(next));
  }
}
