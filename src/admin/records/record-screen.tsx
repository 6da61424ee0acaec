/** The frame of the form of one record: loading it, its heading, saving, discarding and deleting. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import { Refusals } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { ChangedElsewhere } from "../merging/changed-elsewhere.tsx";
import { go, guardLeaving, hrefOf } from "../router.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { VerbButton } from "../ui/verb-button.tsx";
import { openRecord, type RecordPlace, type RecordState } from "./record-state.ts";

interface RecordScreenProps {
  /** The same for the life of the screen. */
  readonly place: RecordPlace;
  readonly title: (record: RecordState) => string;
  /** Path of the screen of the list, and what it is called. */
  readonly list: { readonly path: string; readonly name: string };
  /** Path of the screen of a record; by default that of the list with its id. */
  readonly screenOf?: (payload: Values) => string;
  readonly mayChange: boolean | ((record: RecordState) => boolean);
  readonly mayDelete: boolean;
  /** What deleting means; by default, that history keeps the record. */
  readonly deletion?: string;
  /** Beside the heading. */
  readonly more?: (record: RecordState) => ComponentChildren;
  /** Beside the buttons that save and discard. */
  readonly verbs?: (record: RecordState) => ComponentChildren;
  readonly isWide?: boolean;
  /** Asked before a save. @returns whether it is to be done @throws ApiError */
  readonly confirmSave?: (record: RecordState) => Promise<boolean>;
  readonly onSaved?: (payload: Values) => void;
  readonly children: (record: RecordState) => ComponentChildren;
}

export function RecordScreen(props: RecordScreenProps) {
  const { place, list } = props;
  const [record, setRecord] = useState<RecordState | ApiError | undefined>(undefined);
  useEffect(() => {
    openRecord(place).then(setRecord, (error: unknown) => setRecord(error as ApiError));
  }, []);
  if (record === undefined) return null;
  if (record instanceof Error)
    return (
      <p role="alert">
        {record.status === 404 ? text("notFound") : text("requestFailed", { reason: record.message })}{" "}
        <a href={hrefOf(list.path)}>{list.name}</a>
      </p>
    );
  return <OpenRecord {...props} record={record} />;
}

function OpenRecord({ record, title, list, mayDelete, more, ...props }: RecordScreenProps & Opened) {
  const mayChange = typeof props.mayChange === "function" ? props.mayChange(record) : props.mayChange;
  const [isDeleting, setDeleting] = useState(false);
  const isChanged = Object.keys(record.changes.value).length > 0;
  const save = (): void => {
    void (async () => {
      if (props.confirmSave && !(await props.confirmSave(record))) return;
      const saved = await record.save();
      if (!saved) return;
      notify(text("saved"));
      props.onSaved?.(saved);
      const { screenOf = ({ id }) => `${list.path}/${String(id)}` } = props;
      const screen = screenOf(saved);
      if (record.id === undefined || !location.pathname.endsWith(hrefOf(screen))) go(screen, { replaces: true });
    })().catch((error: unknown) => {
      if (error instanceof ApiError) record.errors.value = error.fields;
      notifyFailure(error);
    });
  };
  useEffect(() => {
    guardLeaving(() => Object.keys(record.changes.value).length === 0 || confirm(text("leaveUnsaved")));
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (mayChange && Object.keys(record.changes.value).length > 0) save();
    };
    addEventListener("keydown", onKey);
    return () => {
      guardLeaving(() => true);
      removeEventListener("keydown", onKey);
    };
  }, []);
  const name = title(record);
  return (
    <>
      <div class="heading">
        <ScreenTitle name={name} />
        <a href={hrefOf(list.path)}>{list.name}</a>
        {more?.(record)}
      </div>
      <Refusals errors={record.errors.value}>
        <fieldset class={props.isWide ? "form" : "form narrow"} disabled={!mayChange} aria-label={name}>
          {props.children(record)}
        </fieldset>
      </Refusals>
      <div class="actions bottom">
        {mayChange && (
          <>
            <VerbButton class="primary" isOff={!isChanged || record.progress.value === "saving"} onPress={save}>
              {text("saveRecord")}
            </VerbButton>
            <VerbButton isOff={!isChanged} onPress={() => void record.reload().catch(notifyFailure)}>
              {text("discardChanges")}
            </VerbButton>
          </>
        )}
        {props.verbs?.(record)}
        {mayDelete && record.id !== undefined && (
          <button class="danger" onClick={() => setDeleting(true)}>
            {text("delete")}
          </button>
        )}
        <span class="state" role="status">
          {isChanged && text("unsaved")}
        </span>
      </div>
      {isDeleting && (
        <ConfirmDeletion
          name={name}
          meaning={props.deletion ?? text("deleteRecord")}
          onClose={() => setDeleting(false)}
          onConfirm={() => {
            setDeleting(false);
            void record.remove().then(() => {
              notify(text("deleted"));
              go(list.path, { replaces: true });
            }, notifyFailure);
          }}
        />
      )}
      {record.contested.value && (
        <ChangedElsewhere
          title={text("recordConflict")}
          contested={record.contested.value}
          onSettle={(takesTheirs) => {
            record.settle(takesTheirs);
            save();
          }}
          onReload={() => void record.reload().catch(notifyFailure)}
          onCancel={() => record.postpone()}
        />
      )}
    </>
  );
}

interface Opened {
  readonly record: RecordState;
}

interface ConfirmProps {
  readonly name: string;
  readonly meaning: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

const ConfirmDeletion = ({ name, meaning, onClose, onConfirm }: ConfirmProps) => (
  <Dialog title={text("deleteTitle", { name })} onClose={onClose}>
    <p>{meaning}</p>
    <div class="actions">
      <button class="danger" onClick={onConfirm}>
        {text("delete")}
      </button>
      <button onClick={onClose}>{text("cancel")}</button>
    </div>
  </Dialog>
);
