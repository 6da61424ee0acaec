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
import { VerbLine, type Verb } from "../ui/verb-line.tsx";
import type { RecordState } from "./record-state.ts";

interface RecordFrameProps {
  readonly record: RecordState;
  readonly name: string;
  readonly mayChange: boolean;
  /** What the button that saves says. */
  readonly verb: string;
  /** @throws ApiError */
  readonly onSave: () => Promise<void>;
  /** Offered first while nothing is to be saved. */
  readonly fitting?: Verb | undefined;
  /** Beside saving and discarding. */
  readonly verbs?: readonly Verb[];
  /** The dialogs of these. */
  readonly dialogs?: ComponentChildren;
  readonly isWide?: boolean | undefined;
  /** See `ChangedElsewhere`. */
  readonly labelOf?: (path: readonly string[]) => string;
  readonly textOf?: (value: Json, path: readonly string[]) => string;
  readonly children: ComponentChildren;
}

export function RecordFrame({ record, name, mayChange, verb, onSave, ...props }: RecordFrameProps) {
  const isChanged = record.isChanged.value;
  const save = (): void =>
    void onSave().catch((error: unknown) => {
      if (error instanceof ApiError) record.refuse(error.fields);
      notifyFailure(error);
    });
  const saving: Verb = { name: verb, run: save, isOff: !isChanged || record.progress.value === "saving" };
  useSaveKey(() => mayChange && isChanged && save());
  useEffect(() => {
    guardLeaving(() => !record.isChanged.value || confirm(text("leaveUnsaved")));
    return () => guardLeaving(() => true);
  }, []);
  return (
    <>
      <Refusals errors={record.errors.value}>
        <fieldset class={props.isWide ? "form" : "form narrow"} disabled={!mayChange} aria-label={name}>
          {props.children}
        </fieldset>
      </Refusals>
      <VerbLine
        main={mayChange ? (!isChanged && props.fitting) || saving : props.fitting}
        second={
          mayChange
            ? {
                name: text("discardChanges"),
                run: () => record.reload().catch(notifyFailure),
                isOff: !isChanged,
              }
            : undefined
        }
        others={props.verbs ?? []}
        state={isChanged ? text("unsavedRecord") : ""}
      >
        {props.dialogs}
      </VerbLine>
      <ChangedElsewhere {...props} record={record} title={text("recordConflict")} onSave={save} />
    </>
  );
}
