/** The form of a record with saving, discarding, and the choice between what two editors typed. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../api.ts";
import { Refusals } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import type { Json } from "../json.ts";
import { ChangedElsewhere } from "../merging/changed-elsewhere.tsx";
import { guardLeaving } from "../router.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { useSaveKey } from "../ui/save-key.ts";
import { VerbButton } from "../ui/verb-button.tsx";
import type { RecordState } from "./record-state.ts";

interface RecordFrameProps {
  readonly record: RecordState;
  readonly name: string;
  readonly mayChange: boolean;
  /** What the button that saves says. */
  readonly verb: string;
  /** @throws ApiError */
  readonly onSave: () => Promise<void>;
  /** Beside the buttons that save and discard. */
  readonly verbs?: ComponentChildren;
  readonly isWide?: boolean | undefined;
  /** See `ChangedElsewhere`. */
  readonly labelOf?: (path: readonly string[]) => string;
  readonly textOf?: (value: Json) => string;
  readonly children: ComponentChildren;
}

export function RecordFrame({ record, name, mayChange, verb, onSave, ...props }: RecordFrameProps) {
  const isChanged = Object.keys(record.changes.value).length > 0;
  const save = (): void =>
    void onSave().catch((error: unknown) => {
      if (error instanceof ApiError) record.errors.value = error.fields;
      notifyFailure(error);
    });
  useSaveKey(() => mayChange && isChanged && save());
  useEffect(() => {
    guardLeaving(() => Object.keys(record.changes.value).length === 0 || confirm(text("leaveUnsaved")));
    return () => guardLeaving(() => true);
  }, []);
  return (
    <>
      <Refusals errors={record.errors.value}>
        <fieldset class={props.isWide ? "form" : "form narrow"} disabled={!mayChange} aria-label={name}>
          {props.children}
        </fieldset>
      </Refusals>
      <div class="actions bottom">
        {mayChange && (
          <>
            <VerbButton class="primary" isOff={!isChanged || record.progress.value === "saving"} onPress={save}>
              {verb}
            </VerbButton>
            <VerbButton isOff={!isChanged} onPress={() => void record.reload().catch(notifyFailure)}>
              {text("discardChanges")}
            </VerbButton>
          </>
        )}
        {props.verbs}
        <span class="state" role="status">
          {isChanged && text("unsaved")}
        </span>
      </div>
      <ChangedElsewhere {...props} record={record} title={text("recordConflict")} onSave={save} />
    </>
  );
}
