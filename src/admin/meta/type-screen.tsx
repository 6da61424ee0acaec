/** A content type: its names and fields. What a change does to its instances is said before it is saved. */
import { useRef, useState } from "preact/hooks";
import { request } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { hrefOf } from "../router.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { RecordScreen } from "../records/record-screen.tsx";
import type { RecordPlace, RecordState } from "../records/record-state.ts";
import { may } from "../session.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { canSave, DeclaredFields, sentFields, useFieldSource, type FieldSource } from "./declared-fields.tsx";
import { nameOf } from "./field-settings.ts";

interface Effects {
  readonly instances: number;
  readonly invalid: number;
  readonly examples: readonly { readonly id: number; readonly identifier: string }[];
  readonly lost: readonly { readonly field: string; readonly instances: number }[];
}

const NAMES = ["name", "key", "description", "schema"];

const placeOf = (id: number | undefined, source: FieldSource): RecordPlace => ({
  path: "meta-types",
  id,
  blank: { name: "", key: "", description: "", schema: [] },
  values: (payload) => Object.fromEntries(NAMES.map((name) => [name, payload[name] ?? null])),
  sent: (values) => sentFields(values, source),
});

export function TypeScreen({ id }: { id: number | undefined }) {
  const [asked, setAsked] = useState<Effects | undefined>(undefined);
  const source = useFieldSource();
  const answer = useRef<(isConfirmed: boolean) => void>(() => {});
  const confirmSave = async (record: RecordState): Promise<boolean> => {
    if (!canSave(source)) return false;
    if (id === undefined || !("schema" in record.changes.value)) return true;
    const { value } = await request<Effects>("POST", `meta-types/${id}/effects/`, { body: record.body.value });
    if (value.invalid === 0 && value.lost.length === 0) return true;
    setAsked(value);
    const isConfirmed = await new Promise<boolean>((resolve) => (answer.current = resolve));
    setAsked(undefined);
    return isConfirmed;
  };
  return (
    <>
      <RecordScreen
        place={placeOf(id, source)}
        title={({ payload }) => String(payload.value.name ?? text("newType"))}
        list={{ path: "types", name: text("types") }}
        mayChange={may(id === undefined ? "add_metatype" : "change_metatype")}
        mayDelete={may("delete_metatype")}
        more={() => id !== undefined && <a href={hrefOf(`types/${id}/instances`)}>{text("entries")}</a>}
        confirmSave={confirmSave}
      >
        {(record) => <TypeForm record={record} source={source} />}
      </RecordScreen>
      {asked && <EffectsDialog effects={asked} onAnswer={(isConfirmed) => answer.current(isConfirmed)} />}
    </>
  );
}

interface TypeFormProps {
  readonly record: RecordState;
  readonly source: FieldSource;
}

function TypeForm({ record, source }: TypeFormProps) {
  const values = record.values.value;
  const name = (next: Values): void => {
    // The key of a stored type is the folder of its instances: it stays.
    const follows = record.id === undefined && values.key === nameOf(String(values.name)) && next.key === values.key;
    if (follows) record.set("key", nameOf(String(next.name ?? "")));
  };
  return (
    <>
      <RecordFields
        record={record}
        definitions={[
          { name: "name", label: text("name"), required: true, isNeverNull: true },
          { name: "key", label: text("key"), required: true, isNeverNull: true },
          { name: "description", label: text("description") },
        ]}
        onChange={name}
      />
      <DeclaredFields record={record} source={source} />
    </>
  );
}

interface EffectsDialogProps {
  readonly effects: Effects;
  readonly onAnswer: (isConfirmed: boolean) => void;
}

function EffectsDialog({ effects: { instances, invalid, examples, lost }, onAnswer }: EffectsDialogProps) {
  return (
    <FormDialog
      title={text("effectsTitle", { count: instances })}
      verb={text("saveAllTheSame")}
      onClose={() => onAnswer(false)}
      onSubmit={() => onAnswer(true)}
    >
      {lost.length > 0 && (
        <>
          <p>{text("effectsLost")}</p>
          <ul>
            {lost.map(({ field, instances: count }) => (
              <li key={field}>{text("lostIn", { field, count })}</li>
            ))}
          </ul>
        </>
      )}
      {invalid > 0 && (
        <>
          <p>{text("effectsInvalid", { count: invalid })}</p>
          <ul>
            {examples.map(({ id, identifier }) => (
              <li key={id}>{identifier || `#${id}`}</li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  );
}
