import { pathLabel } from "../fields/field-labels.ts";
import { text } from "../i18n.ts";
import type { FieldDifference } from "./field-differences.ts";
import { textDifference } from "./text-difference.ts";

export interface DifferencesProps {
  readonly list: readonly FieldDifference[];
  /** In the words of the form; by default as nothing is declared of them. */
  readonly labelOf?: (path: readonly string[]) => string;
  /** Offered beside the first difference of each field; absent: fields cannot be restored. */
  readonly onRestore?: ((field: string) => void) | undefined;
}

/** Differences field by field: what is gone is struck through, what is new is underlined. */
export function Differences({ list, labelOf = pathLabel, onRestore }: DifferencesProps) {
  if (list.length === 0) return <p>{text("noDifferences")}</p>;
  return (
    <dl class="differences">
      {list.map(({ path, before, after }, at) => (
        <div key={path.join(".")}>
          <dt>{labelOf(path)}</dt>
          <dd>
            <TextDifference before={before} after={after} />
          </dd>
          {onRestore && path[0] !== list[at - 1]?.path[0] && (
            <dd>
              <button onClick={() => onRestore(path[0]!)}>
                {text("restoreField", { name: pathLabel(path.slice(0, 1)) })}
              </button>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

export const TextDifference = ({ before, after }: { before: string; after: string }) => (
  <>
    {textDifference(before, after).map(({ kind, text: part }, at) => {
      if (kind === "gone") return <del key={at}>{part}</del>;
      return kind === "new" ? <ins key={at}>{part}</ins> : <span key={at}>{part}</span>;
    })}
  </>
);
