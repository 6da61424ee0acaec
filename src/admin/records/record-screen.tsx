/** The frame of the form of one record: loading it, its heading, saving, discarding and deleting. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, type RecordLink } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { UseList } from "../media/media-uses.tsx";
import { go, hrefOf } from "../router.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { LoadFailure, notify, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import type { Verb } from "../ui/verb-line.tsx";
import { RecordFrame } from "./record-frame.tsx";
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
  /** Beside saving and discarding, with their dialogs. */
  readonly useVerbs?: (record: RecordState) => OwnVerbs;
  readonly isWide?: boolean;
  /** Asked before a save. @returns whether it is to be done @throws ApiError */
  readonly confirmSave?: (record: RecordState) => Promise<boolean>;
  readonly children: (record: RecordState) => ComponentChildren;
}

interface OwnVerbs {
  /** Offered first while nothing is to be saved. */
  readonly fitting: Verb | undefined;
  readonly verbs: readonly Verb[];
  readonly dialogs: ComponentChildren;
}

export function RecordScreen(props: RecordScreenProps) {
  const { place, list } = props;
  const [record, setRecord] = useState<RecordState | ApiError | undefined>(undefined);
  useEffect(() => {
    openRecord(place).then(setRecord, (error: unknown) => setRecord(error as ApiError));
  }, []);
  if (record === undefined) return null;
  if (record instanceof Error) return <LoadFailure error={record} list={list.path} name={list.name} />;
  return <OpenRecord {...props} record={record} />;
}

function OpenRecord({ record, title, list, mayDelete, more, ...props }: RecordScreenProps & Opened) {
  const mayChange = typeof props.mayChange === "function" ? props.mayChange(record) : props.mayChange;
  const [isDeleting, setDeleting] = useState(false);
  const [uses, setUses] = useState<readonly RecordLink[]>([]);
  const save = async (): Promise<void> => {
    if (props.confirmSave && !(await props.confirmSave(record))) return;
    if (!(await record.save())) return;
    notify(text("saved"));
    const { screenOf = ({ id }) => `${list.path}/${String(id)}` } = props;
    const screen = screenOf(record.payload.value);
    if (record.id === undefined || !location.pathname.endsWith(hrefOf(screen))) go(screen, { replaces: true });
  };
  const name = title(record);
  /** What is used stays: where, is shown. */
  const told = (error: unknown): void => {
    if (error instanceof ApiError && error.links.length > 0) setUses(error.links);
    else notifyFailure(error);
  };
  const own = props.useVerbs?.(record);
  return (
    <>
      <div class="heading">
        <ScreenTitle name={name} />
        <a href={hrefOf(list.path)}>{list.name}</a>
        {more?.(record)}
      </div>
      <RecordFrame
        {...{ record, name, mayChange }}
        verb={text("saveRecord")}
        isWide={props.isWide}
        onSave={save}
        verbs={[
          ...(own?.verbs ?? []),
          ...(mayDelete && record.id !== undefined
            ? [{ name: text("delete"), run: () => setDeleting(true), isDanger: true }]
            : []),
        ]}
        fitting={own?.fitting}
        dialogs={own?.dialogs}
      >
        {props.children(record)}
      </RecordFrame>
      {isDeleting && (
        <FormDialog
          title={text("deleteTitle", { name })}
          verb={text("delete")}
          isDanger
          onClose={() => setDeleting(false)}
          onSubmit={() => {
            setDeleting(false);
            void record.remove().then(() => {
              notify(text("deleted"));
              go(list.path, { replaces: true });
            }, told);
          }}
        >
          <p>{props.deletion ?? text("deleteRecord")}</p>
        </FormDialog>
      )}
      {uses.length > 0 && (
        <Dialog title={text("usedTitle", { name })} onClose={() => setUses([])}>
          <p>{text("usedHint")}</p>
          <UseList links={uses} />
          <button type="button" onClick={() => setUses([])}>
            {text("close")}
          </button>
        </Dialog>
      )}
    </>
  );
}

interface Opened {
  readonly record: RecordState;
}
