/** A review: who proposed it, what was decided, and for those who may publish, the decision. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { request } from "../api.ts";
import { Labelled } from "../fields/field-messages.tsx";
import { showMoment, text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { session } from "../session.ts";
import { languageName } from "../site.ts";
import type { TextKey } from "../texts/en.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { attempt } from "../ui/notices.tsx";
import type { Decision, Review } from "./page-review.ts";

export const REVIEW_STATES: Readonly<Record<Review["state"], TextKey>> = {
  open: "reviewOpen",
  changes: "reviewChanges",
  approved: "reviewApproved",
  done: "reviewDone",
};

interface ReviewPanelProps {
  readonly review: Review;
  readonly mayPublish: boolean;
  /** The edits with which it is approved, where something was typed. */
  readonly draft?: { readonly page: number; readonly language: string; readonly values: Values } | undefined;
  /** Called after each write. */
  readonly onChanged: () => Promise<unknown>;
  /** What would change. */
  readonly children?: ComponentChildren;
}

export function ReviewPanel({ review, mayPublish, draft, onChanged, children }: ReviewPanelProps) {
  const [isAsking, setAsking] = useState(false);
  const { name, state, hash } = review;
  const { value } = session;
  // Two languages may be side by side.
  const of = review.release ?? languageName(review.items[0]?.language ?? "");
  const isOwn = "user" in value && value.user.username === review.by;
  const write = (method: string, path: string, done: TextKey, body?: object): Promise<void> =>
    attempt(async () => {
      await request(method, `reviews/${name}/${path}`, { ...(body && { body }) });
      await onChanged();
    }, text(done));
  const decide = (verdict: Decision["verdict"], comment: string): Promise<void> =>
    write("POST", "decide/", verdict === "approve" ? "reviewIsApproved" : "changesAsked", {
      ...{ verdict, hash, comment },
      ...(verdict === "approve" && draft && { draft }),
    });
  const canDecide = mayPublish && !isOwn && state !== "done";
  return (
    <section class="card wide review" aria-label={`${text("review")} (${of})`}>
      <h2>
        {text("review")} <span class="badge">{text(REVIEW_STATES[state])}</span>
      </h2>
      <p>
        {text("proposedBy", { name: review.proposer })} <time dateTime={review.at}>{showMoment(review.at)}</time>
      </p>
      {review.decisions.length > 0 && (
        <ul>
          {review.decisions.map((decision) => (
            <li key={decision.id}>
              {text(decision.verdict === "approve" ? "approvedBy" : "askedForChanges", { name: decision.name })}{" "}
              <time dateTime={decision.at}>{showMoment(decision.at)}</time>
              {!decision.holds && <small> {text("ofOtherDraft")}</small>}
              {decision.comment !== "" && <blockquote>{decision.comment}</blockquote>}
            </li>
          ))}
        </ul>
      )}
      {children}
      <div class="actions">
        {canDecide && (
          <>
            <button type="button" class="primary" onClick={() => void decide("approve", "")}>
              {text(draft ? "approveWithEdits" : "approve")}
            </button>
            <button type="button" onClick={() => setAsking(true)}>
              {text("askForChanges")}
            </button>
          </>
        )}
        {(isOwn || mayPublish) && (
          <button type="button" onClick={() => void write("DELETE", "", "proposalTakenBack")}>
            {text("takeProposalBack")}
          </button>
        )}
      </div>
      {isAsking && (
        <FormDialog
          title={text("askForChanges")}
          verb={text("send")}
          onClose={() => setAsking(false)}
          onSubmit={(form) => {
            setAsking(false);
            void decide("changes", String(form.get("comment")));
          }}
        >
          <Labelled path="comment" label={text("comment")} hint={text("changesHint")}>
            {(control) => <textarea {...control} name="comment" rows={3} required />}
          </Labelled>
        </FormDialog>
      )}
    </section>
  );
}
