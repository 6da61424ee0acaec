import { DataForm } from "../fields/data-form.tsx";
import type { Definitions } from "../fields/definition.ts";
import type { Values } from "../json.ts";
import { useOwnValues } from "./own-values.ts";
import type { RecordState } from "./record-state.ts";

interface RecordFieldsProps {
  readonly record: RecordState;
  readonly definitions: Definitions;
  /** Sees a change before it is taken. */
  readonly onChange?: (next: Values) => void;
}

/** Controls of fields of the record itself. */
export function RecordFields({ record, definitions, onChange }: RecordFieldsProps) {
  const values = useOwnValues(
    record,
    definitions.map(({ name }) => name),
  );
  const change = (next: Values): void => {
    onChange?.(next);
    for (const [name, value] of Object.entries(next)) if (value !== values[name]) record.set(name, value);
  };
  return <DataForm definitions={definitions} data={values} onChange={change} />;
}
