/** When the draft of a page goes live: alone, or together with others, as a release. */
import { useState } from "preact/hooks";
import { ApiError, request, type FieldErrors } from "../api.ts";
import { Refusals, Labelled, Messages } from "../fields/field-messages.tsx";
import { localMoment, momentOf } from "../fields/moments.ts";
import { text } from "../i18n.ts";
import type { KnownRecord } from "../records/known-records.ts";
import { RecordPicker } from "../records/record-picker.tsx";
import { go } from "../router.ts";
import { mayRelease } from "../session.ts";
import { FormDialog, momentIn, MomentInput } from "../ui/form-dialog.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { plannedMoment } from "./page-record.ts";
import type { PageState } from "./page-state.ts";

const isPastMoment = (moment: string | null): boolean => moment !== null && Date.parse(moment) <= Date.now();

interface ScheduleProps {
  readonly page: PageState;
  readonly onClose: () => void;
  /** The page alone. @param moment ISO 8601 in UTC */
  readonly onChoose: (moment: string) => void;
  /** The page alone, for a moment that has passed. */
  readonly onPublish: () => void;
  readonly onCancelled: () => void;
}

export function ScheduleDialog({ page, onClose, onChoose, onPublish, onCancelled }: ScheduleProps) {
  const planned = plannedMoment(page.record.value);
  const [local, setLocal] = useState(planned === null ? "" : localMoment(planned));
  const isPast = isPastMoment(momentOf(local));
  const [others, setOthers] = useState<readonly KnownRecord[]>([]);
  const [isAdding, setAdding] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const release = async (name: string, moment: string): Promise<void> => {
    try {
      // What both this and another editor changed is chosen first.
      if (!(await page.save())) return onClose();
      const items = [page.id, ...others.map(({ id }) => id)].map((id) => ({
        page: id,
        language: page.lang,
        action: "publish",
      }));
      await request("POST", "releases/", { body: { name, publish_at: moment, items } });
      notify(text("releaseWasScheduled"));
      onClose();
      go(`releases/${name}?lang=${page.lang}`);
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      notifyFailure(error);
    }
  };
  return (
    <FormDialog
      title={text(planned === null ? "schedule" : "changeSchedule")}
      verb={text(isPast ? "publishNow" : "schedule")}
      onClose={onClose}
      others={
        planned !== null && (
          <button type="button" class="danger" onClick={onCancelled}>
            {text("cancelSchedule")}
          </button>
        )
      }
      onSubmit={(form) => {
        const moment = momentIn(form, "moment");
        if (others.length === 0) return isPastMoment(moment) ? onPublish() : onChoose(moment);
        void release(String(form.get("name")).trim(), moment);
      }}
    >
      <MomentInput name="moment" label={text("scheduleAt")} initial={planned} onInput={setLocal} />
      <p class="hint" role="status">
        {isPast && <strong>{text("scheduleInPast")}</strong>}
      </p>
      {mayRelease() && (
        <Refusals errors={errors}>
          <fieldset>
            <legend>{text("alsoThesePages")}</legend>
            <p class="hint">{text("alsoThesePagesHint")}</p>
            <ul class="links">
              {others.map(({ id, name, detail }) => (
                <li key={id}>
                  <strong>{name}</strong> <span class="address inline">{detail}</span>{" "}
                  <button
                    type="button"
                    class="quiet"
                    aria-label={text("removeFrom", { name })}
                    onClick={() => setOthers(others.filter((each) => each.id !== id))}
                  >
                    ×
                  </button>
                </li>
              ))}
            </ul>
            <button type="button" onClick={() => setAdding(true)}>
              {text("addPages")}
            </button>
            {others.length > 0 && (
              <Labelled path="name" label={text("releaseName")} hint={text("releaseNameHint")} isRequired>
                {(control) => <input {...control} name="name" required />}
              </Labelled>
            )}
            <Messages path="publish_at" />
          </fieldset>
        </Refusals>
      )}
      {isAdding && (
        <RecordPicker
          canChooseMany
          model="cms.UrlNode"
          title={text("addPages")}
          onClose={() => setAdding(false)}
          onChoose={(records) => {
            setAdding(false);
            const there = new Set([page.id, ...others.map(({ id }) => id)]);
            setOthers([...others, ...records.filter(({ id }) => !there.has(id))]);
          }}
        />
      )}
    </FormDialog>
  );
}
