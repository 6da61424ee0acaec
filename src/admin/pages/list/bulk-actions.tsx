/** What is done with all selected pages, one after the other: each is a commit of its own. */
import { useState } from "preact/hooks";
import { ApiError, request } from "../../api.ts";
import { text } from "../../i18n.ts";
import { go } from "../../router.ts";
import { may, mayRelease } from "../../session.ts";
import { contentLanguage } from "../../site.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { notify, notifyFailure, offerUndo } from "../../ui/notices.tsx";
import { VerbButton } from "../../ui/verb-button.tsx";
import { MoveDialog } from "./move-dialog.tsx";

interface BulkActionsProps {
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (ids: ReadonlySet<number>) => void;
  /** Absent where not everything is found. */
  readonly onSelectAll?: () => void;
  readonly onDone: () => void;
}

type Verb = "publish" | "trash";

export function BulkActions({ selected, onSelect, onSelectAll, onDone }: BulkActionsProps) {
  const [verb, setVerb] = useState<Verb | undefined>(undefined);
  const [isMoving, setMoving] = useState(false);
  const [done, setDone] = useState<number | undefined>(undefined);
  const [failures, setFailures] = useState<readonly string[]>([]);
  if (!may("change_page") || (selected.size === 0 && failures.length === 0)) return null;
  const restore = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) await request("POST", `pages/${id}/restore/`).catch(notifyFailure);
    onDone();
  };
  const run = async (): Promise<void> => {
    const failed: string[] = [];
    const left = new Set(selected);
    setFailures([]);
    for (const [at, id] of [...selected].entries()) {
      setDone(at);
      try {
        await request("POST", `pages/${id}/${verb}/?language=${contentLanguage.value}`);
        left.delete(id);
      } catch (error) {
        failed.push(`#${id}: ${error instanceof ApiError && error.message !== "" ? error.message : text("offline")}`);
      }
    }
    setDone(undefined);
    setVerb(undefined);
    setFailures(failed);
    // The pages that failed stay selected.
    onSelect(left);
    const done = [...selected].filter((id) => !left.has(id));
    if (verb === "trash" && done.length > 0)
      offerUndo(text("pagesTrashed", { count: done.length }), () => void restore(done));
    else notify(text("bulkDone", { count: done.length }));
    onDone();
  };
  return (
    <section class="bulk" aria-label={text("selectedPages")}>
      <div class="actions">
        <strong>{text("pagesSelected", { count: selected.size })}</strong>
        <button onClick={() => setVerb("publish")}>{text("publish")}</button>
        <button onClick={() => setMoving(true)}>{text("moveBelow")}</button>
        {mayRelease() && (
          <button onClick={() => go(`releases/_new?pages=${[...selected].join(",")}&lang=${contentLanguage.value}`)}>
            {text("newReleaseOf")}
          </button>
        )}
        <button class="danger" onClick={() => setVerb("trash")}>
          {text("moveToTrash")}
        </button>
        {onSelectAll && <button onClick={onSelectAll}>{text("selectAll")}</button>}
        <button
          class="quiet"
          onClick={() => {
            setFailures([]);
            onSelect(new Set());
          }}
        >
          {text("clearSelection")}
        </button>
      </div>
      {failures.length > 0 && (
        <ul role="alert">
          {failures.map((failure) => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
      {verb && (
        <Dialog
          title={text(verb === "publish" ? "publishPages" : "trashPages", { count: selected.size })}
          onClose={() => done === undefined && setVerb(undefined)}
        >
          <p role="status">
            {done === undefined
              ? text(verb === "publish" ? "publishPagesHint" : "trashPagesHint")
              : text("bulkAt", { at: done + 1, count: selected.size })}
          </p>
          <div class="actions">
            <VerbButton class="primary" isOff={done !== undefined} onPress={() => void run()}>
              {text(verb === "publish" ? "publish" : "moveToTrash")}
            </VerbButton>
            <VerbButton isOff={done !== undefined} onPress={() => setVerb(undefined)}>
              {text("cancel")}
            </VerbButton>
          </div>
        </Dialog>
      )}
      {isMoving && (
        <MoveDialog
          pages={[...selected].map((id) => ({ id, title: null }))}
          onClose={() => setMoving(false)}
          onMoved={() => {
            onSelect(new Set());
            onDone();
          }}
        />
      )}
    </section>
  );
}
