import { createContext } from "preact";
import { useContext } from "preact/hooks";
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
  const isLocked = useIsLocked();
  if (!definitions.some(({ name }) => isLocked(name)))
    return <DataForm definitions={definitions} data={values} onChange={change} />;
  return (
    <>
      {definitions.map((definition) => (
        <fieldset key={definition.name} class="bare" disabled={isLocked(definition.name)}>
          <DataForm definitions={[definition]} data={values} onChange={change} />
        </fieldset>
      ))}
    </>
  );
}

/** The fields of the record that the account may change; null: all. */
export const AllowedFields = createContext<readonly string[] | null>(null);

export function useIsLocked(): (name: string) => boolean {
  const allowed = useContext(AllowedFields);
  return (name) => allowed !== null && !allowed.includes(name);
}
