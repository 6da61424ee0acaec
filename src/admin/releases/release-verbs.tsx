/** What can be done with a release that is stored. */
import { useState } from "preact/hooks";
import { ApiError, request } from "../api.ts";
import { pathLabel } from "../fields/field-labels.ts";
import { text } from "../i18n.ts";
import { useCommands } from "../palette/commands.ts";
import type { RecordState } from "../records/record-state.ts";
import { mayRelease } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CommentDialog, FormDialog, momentIn, MomentInput } from "../ui/form-dialog.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import type { Verb } from "../ui/verb-line.tsx";
import { stateOf } from "./release.ts";

/** A value that was changed after the release, and stays. */
interface Kept {
  readonly path: string;
  readonly field: string | null;
  readonly language: string | null;
  readonly drafted: boolean;
}

type Asked = "publish" | "schedule" | "revert";

/** The verbs of a release and their dialogs. @param name undefined: it is not stored yet */
export function useReleaseVerbs(record: RecordState, name: string | undefined) {
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [kept, setKept] = useState<readonly Kept[]>([]);
  const state = stateOf(record.payload.value);
  const isOff = record.isChanged.value;
  const close = (): void => setAsked(undefined);
  const run = async <T,>(verb: string, done: string, body?: object): Promise<T | undefined> => {
    close();
    try {
      const { value } = await request<T>("POST", `releases/${encodeURIComponent(name ?? "")}/${verb}/`, {
        ...(body && { body }),
      });
      await record.reload();
      notify(done);
      return value;
    } catch (error) {
      if (error instanceof ApiError) record.refuse(error.fields);
      notifyFailure(error);
      return undefined;
    }
  };
  const revert = async (): Promise<void> => {
    const answer = await run<{ conflicts: readonly Kept[] }>("revert", text("releaseReverted"));
    setKept(answer?.conflicts ?? []);
  };
  const verbs: readonly Verb[] =
    name === undefined || !mayRelease()
      ? []
      : state === "published"
        ? [{ name: text("revertRelease"), run: () => setAsked("revert") }]
        : [
            { name: text("publishRelease"), run: () => setAsked("publish"), isOff },
            { name: text("schedule"), run: () => setAsked("schedule"), isOff },
            ...(state === "scheduled"
              ? [
                  {
                    name: text("takeBackSchedule"),
                    run: () => run("schedule", text("scheduleTakenBack"), { publish_at: null }),
                    isOff,
                  },
                ]
              : []),
          ];
  useCommands(verbs.filter((verb) => !verb.isOff));
  const dialogs = (
    <>
      {asked === "publish" && (
        <CommentDialog
          title={text("publishRelease")}
          initial={String(record.payload.value.comment ?? "")}
          onClose={close}
          onChoose={(comment) => void run("publish", text("releaseIsPublished"), { comment })}
        >
          <p>{text("publishReleaseHint")}</p>
        </CommentDialog>
      )}
      {asked === "schedule" && (
        <FormDialog
          title={text("schedule")}
          verb={text("schedule")}
          onClose={close}
          onSubmit={(form) =>
            void run("schedule", text("releaseWasScheduled"), { publish_at: momentIn(form, "moment") })
          }
        >
          <MomentInput name="moment" label={text("scheduleAt")} />
        </FormDialog>
      )}
      {asked === "revert" && (
        <FormDialog
          title={text("revertRelease")}
          verb={text("takeBack")}
          onClose={close}
          onSubmit={() => void revert()}
        >
          <p>{text("revertReleaseHint")}</p>
        </FormDialog>
      )}
      {kept.length > 0 && (
        <Dialog title={text("keptSince")} onClose={() => setKept([])}>
          <ul>
            {kept.map(({ path, field, language, drafted }) => (
              <li key={`${path} ${field} ${language}`}>
                {path}
                {field !== null && `: ${pathLabel([field])}`}{" "}
                {language !== null && <span class="badge">{language}</span>}
                {drafted && <span class="address">{text("keptAsDraft")}</span>}
              </li>
            ))}
          </ul>
          <button onClick={() => setKept([])}>{text("close")}</button>
        </Dialog>
      )}
    </>
  );
  const [publish, ...others] = verbs;
  return publish && state !== "published" && !isOff
    ? { fitting: publish, verbs: others, dialogs }
    : { fitting: undefined, verbs, dialogs };
}
