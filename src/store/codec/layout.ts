import { isMap, visit } from "./yaml/yaml-package.ts";
import type { Document, ToStringOptions } from "yaml";
import { columnOf, yamlEntriesOf, isBlockCollection } from "./yaml/source.ts";
import type { Mapping, Sequence } from "./yaml/source.ts";

/** The line endings and indentation of a file, for added lines. */
export interface Layout {
  readonly eol: string;
  readonly style: ToStringOptions;
}

/** The indentation is that of the first mapping and the first list inside a mapping. */
export function layoutOf(text: string, document: Document.Parsed, style: ToStringOptions): Layout {
  let indent: number | undefined;
  let listIndent: number | undefined;
  visit(document, {
    Map(_, node) {
      const parent = node as Mapping;
      if (parent.flow) return;
      for (const { start, value } of yamlEntriesOf(parent)) {
        if (!isBlockCollection(value)) continue;
        const step = columnOf(text, firstOf(value)) - columnOf(text, start);
        if (isMap(value)) indent ??= step;
        else listIndent ??= step;
      }
    },
  });
  return {
    eol: /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n",
    style: { ...style, indent: indent || listIndent || 2, indentSeq: listIndent !== 0 },
  };
}

const firstOf = (node: Mapping | Sequence): number => yamlEntriesOf(node)[0]?.start ?? node.range[0];
