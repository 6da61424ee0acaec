/** What can be done with a page in one language. */
import { useState } from "preact/hooks";
import { text } from "../i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import type { PageState } from "./page-state.ts";

interface VerbsProps {
  readonly page: PageState;
  readonly onSave: () => Promise<void>;
}

export function Verbs({ page, onSave }: VerbsProps) {
  const [isScheduling, setScheduling] = useState(false);
  const { status, has_draft: hasDraft, published_at: published } = page.record.value;
  const isChanged = Object.keys(page.changes.value).length > 0;
  const attempt = (action: () => Promise<unknown>, done?: string): void =>
    void action().then(() => done !== undefined && page.progress.value === "idle" && notify(done), notifyFailure);
  return (
    <div class="actions bottom">
      <button disabled={!isChanged || page.progress.value === "saving"} onClick={() => void onSave()}>
        {text("save")}
      </button>
      <button class="primary" onClick={() => attempt(() => page.run("publish"), text("published"))}>
        {text("publish")}
      </button>
      <button onClick={() => setScheduling(true)}>{text("schedule")}</button>
      {hasDraft && (
        <button onClick={() => confirm(text("confirmDiscard")) && attempt(() => page.discard())}>
          {text("discardDraft")}
        </button>
      )}
      {published !== null && status !== "TRS" && (
        <button onClick={() => attempt(() => page.patch({ published_at: null }))}>{text("unpublish")}</button>
      )}
      {status === "TRS" ? (
        <button onClick={() => attempt(() => page.run("restore"))}>{text("restore")}</button>
      ) : (
        <button class="danger" onClick={() => attempt(() => page.run("trash"))}>
          {text("moveToTrash")}
        </button>
      )}
      <span class="state" role="status">
        {page.progress.value === "saving" ? text("saving") : isChanged ? text("unsaved") : ""}
      </span>
      {isScheduling && (
        <ScheduleDialog
          onClose={() => setScheduling(false)}
          onChoose={(moment) => {
            setScheduling(false);
            attempt(() => page.run("schedule", { publish_at: moment }));
          }}
        />
      )}
    </div>
  );
}

interface ScheduleProps {
  readonly onClose: () => void;
  /** @param moment ISO 8601 in UTC */
  readonly onChoose: (moment: string) => void;
}

function ScheduleDialog({ onClose, onChoose }: ScheduleProps) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const moment = String(new FormData(event.currentTarget as HTMLFormElement).get("moment"));
    onChoose(new Date(moment).toISOString());
  };
  return (
    <Dialog title={text("schedule")} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          {text("scheduleAt")} ({zone})
          <input name="moment" type="datetime-local" required />
        </label>
        <div class="actions">
          <button class="primary">{text("schedule")}</button>
          <button type="button" onClick={onClose}>
            {text("cancel")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
