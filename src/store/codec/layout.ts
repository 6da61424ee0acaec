import type { ToStringOptions } from "yaml";
import { columnOf, isBlockCollection, type YamlNode } from "./yaml/source.ts";

/** The line endings and indentation of a file, for added lines. */
export interface Layout {
  readonly eol: string;
  readonly style: ToStringOptions;
}

/** The indentation is that of the first mapping and the first list inside a mapping. */
export function layoutOf(text: string, root: YamlNode | null, style: ToStringOptions): Layout {
  const steps: { mapping?: number; list?: number } = {};
  const measure = ({ type, isFlow, entries }: YamlNode): void => {
    for (const { start, value } of type === "mapping" && !isFlow ? entries : [])
      if (isBlockCollection(value) && value.type !== "scalar")
        steps[value.type] ??= columnOf(text, value.entries[0]?.start ?? value.start) - columnOf(text, start);
    for (const { value } of entries) if (value) measure(value);
  };
  if (root) measure(root);
  return {
    eol: /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n",
    style: { ...style, indent: steps.mapping || steps.list || 2, indentSeq: steps.list !== 0 },
  };
}
