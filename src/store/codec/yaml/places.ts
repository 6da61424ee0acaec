/** The places of values in any YAML text, by the `yaml` package. */
import type { CST, Pair, ParsedNode, YAMLSeq } from "yaml";
import { entryOf, type YamlEntry, type YamlNode } from "./source.ts";
import { isCollection, isMap, isNode, isScalar, parseDocument } from "./yaml-package.ts";
import { DIALECT } from "./yaml-print.ts";

/**
 * The value of a text, by the `yaml` package; null for a text without one, and undefined where the package refuses it.
 *
 * @param text must have passed the guard
 */
export function placesIn(text: string): YamlNode | null | undefined {
  const { contents, errors } = parseDocument(text, { ...DIALECT, keepSourceTokens: true });
  return errors.length > 0 ? undefined : (nodeOf(contents) ?? null);
}

function nodeOf(node: ParsedNode | null): YamlNode | undefined {
  if (!isWritten(node)) return undefined;
  const [start, end] = node.range;
  if (!isCollection(node)) {
    const style = isScalar(node) && typeof node.value === "string" ? node.type : undefined;
    return { type: "scalar", start, end, entries: [], isFlow: false, style };
  }
  const isFlow = node.flow === true;
  const entries = isMap(node) ? node.items.map((pair) => pairEntry(pair)) : itemEntries(node as YAMLSeq.Parsed);
  const type = isMap(node) ? "mapping" : "list";
  return { type, start, end: (isFlow ? undefined : entries.at(-1)?.end) ?? end, entries, isFlow, style: undefined };
}

const isWritten = (node: unknown): node is ParsedNode =>
  isNode(node) && !!node.range && (!isScalar(node) || node.value !== null || node.range[1] > node.range[0]);

function itemEntries({ srcToken, items }: YAMLSeq.Parsed): YamlEntry[] {
  return items.map((item, i) => {
    const before = srcToken && "items" in srcToken ? (srcToken.items[i]?.start ?? []) : [];
    const dash = before.find(({ type }) => type === "seq-item-ind");
    const start = dash?.offset ?? item.range[0];
    return entryOf(undefined, start, Math.max(start, endOfIndicators(before)), nodeOf(item));
  });
}

function pairEntry({ key, value, srcToken }: Pair<ParsedNode, ParsedNode | null>): YamlEntry {
  const anchor = srcToken?.start.find(({ type }) => type === "anchor");
  const after = Math.max(key.range[1], endOfIndicators(srcToken?.sep ?? []));
  return entryOf(isScalar(key) ? String(key.value) : undefined, anchor?.offset ?? key.range[0], after, nodeOf(value));
}

/** After the last `:`, `-` or anchor. */
const endOfIndicators = (tokens: readonly CST.SourceToken[]): number =>
  tokens.reduce((end, { type, offset, source }) => (INDICATORS.has(type) ? offset + source.length : end), 0);

const INDICATORS: ReadonlySet<string> = new Set(["map-value-ind", "seq-item-ind", "anchor"]);
