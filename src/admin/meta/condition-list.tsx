/** Under which values of other fields a field is shown: `show_if`, a row for each of these fields. */
import { useState } from "preact/hooks";
import { DataForm } from "../fields/data-form.tsx";
import type { Definitions } from "../fields/definition.ts";
import { Messages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { isRecord, isSame, type Json, type Values } from "../json.ts";
import { ItemList } from "../ui/lists/item-list.tsx";
import { conditionOf, conditionRows } from "./conditions.ts";
import type { Choice } from "./field-settings.ts";

interface ConditionListProps {
  readonly path: string;
  readonly condition: Json | undefined;
  /** The fields beside it. */
  readonly others: readonly Choice[];
  readonly onChange: (condition: Json) => void;
}

export function ConditionList({ path, condition = null, others, onChange }: ConditionListProps) {
  const [typed, setTyped] = useState<readonly Values[]>([]);
  // What is typed may mean the same as what is stored, and be written otherwise.
  const rows = isSame(conditionOf(typed), condition) ? typed : conditionRows(condition);
  const change = (next: readonly Values[]): void => {
    setTyped(next);
    onChange(conditionOf(next));
  };
  const definitions: Definitions = [
    { name: "field", label: text("conditionField"), kind: "select", required: true, choices: others },
    { name: "values", label: text("conditionValues"), hint: text("conditionValuesHint") },
  ];
  if (others.length === 0 && rows.length === 0) return null;
  return (
    <ItemList name={text("showIf")} items={rows} empty={() => ({ field: others[0]?.value ?? "" })} onChange={change}>
      {(row, at, changeRow) => (
        <>
          <DataForm
            definitions={definitions}
            path={`${path}.${at}`}
            data={isRecord(row) ? row : {}}
            onChange={changeRow}
          />
          <Messages path={`${path}.${String(row.field)}`} />
        </>
      )}
    </ItemList>
  );
}
