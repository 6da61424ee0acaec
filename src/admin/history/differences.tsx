import { labelOf } from "../fields/free-data.tsx";
import { text } from "../i18n.ts";
import { PAGE_LABELS } from "../pages/page-labels.ts";
import type { FieldDifference } from "./field-differences.ts";
import { textDifference } from "./text-difference.ts";

/** What a field is called where its whole path is shown. */
const pathLabel = ([name = "", ...rest]: readonly string[]): string =>
  [PAGE_LABELS[name] ? text(PAGE_LABELS[name]) : labelOf(name), ...rest.map(labelOf)].join(" › ");

/** Differences field by field: what is gone is struck through, what is new is underlined. */
export function Differences({ list }: { list: readonly FieldDifference[] }) {
  if (list.length === 0) return <p>{text("noDifferences")}</p>;
  return (
    <dl class="differences">
      {list.map(({ path, before, after }) => (
        <div key={path.join(".")}>
          <dt>{pathLabel(path)}</dt>
          <dd>
            <TextDifference before={before} after={after} />
          </dd>
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
