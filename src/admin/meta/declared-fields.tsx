/** The fields that a type declares, in its form: one by one, or as YAML. */
import { useRef, useState } from "preact/hooks";
import { text } from "../i18n.ts";
import type { Json, Values } from "../json.ts";
import type { RecordState } from "../records/record-state.ts";
import { useLoaded } from "../ui/loaded.ts";
import { notify } from "../ui/notices.tsx";
import { FieldList } from "./field-list.tsx";
import { sentDefinitions, targetModels } from "./field-settings.ts";
import { SchemaSource } from "./schema-source.tsx";

/** How the fields were typed last, for saving. */
export interface FieldSource {
  isYaml: boolean;
  /** false: the YAML that is shown cannot be read. */
  isRead: boolean;
}

/** For the life of a screen. */
export const useFieldSource = (): FieldSource => useRef<FieldSource>({ isYaml: false, isRead: true }).current;

/** Says so where the fields cannot be read as they are. */
export function canSave({ isRead }: FieldSource): boolean {
  if (!isRead) notify(text("yamlFirst"), true);
  return isRead;
}

/** What is sent of typed values: YAML has nothing that a form leaves behind. */
export const sentFields = (values: Values, { isYaml }: FieldSource): Values => ({
  ...values,
  ...("schema" in values && !isYaml && { schema: sentDefinitions(values.schema) }),
});

export function DeclaredFields({ record, source }: { readonly record: RecordState; readonly source: FieldSource }) {
  const models = useLoaded(targetModels) ?? [];
  const [isSource, setSource] = useState(false);
  const { schema } = record.values.value;
  const show = (isShown: boolean): void => {
    // What cannot be read as YAML would be gone.
    if (canSave(source)) setSource(isShown);
  };
  const change = (next: readonly Json[], isYaml: boolean): void => {
    source.isYaml = isYaml;
    record.set("schema", next);
  };
  return (
    <>
      <div class="tabs field-tabs" role="group" aria-label={text("fieldsShownAs")}>
        <button type="button" aria-pressed={!isSource} onClick={() => show(false)}>
          {text("asForm")}
        </button>
        <button type="button" aria-pressed={isSource} onClick={() => show(true)}>
          YAML
        </button>
      </div>
      {isSource ? (
        <SchemaSource
          fields={schema}
          models={models}
          errors={record.errors.value}
          onChange={(next) => change(next, true)}
          onRead={(isRead) => (source.isRead = isRead)}
        />
      ) : (
        <FieldList
          name={text("fields")}
          path="schema"
          fields={schema}
          models={models}
          onChange={(next) => change(next, false)}
        />
      )}
    </>
  );
}
