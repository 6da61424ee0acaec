/** What is done with all selected pages, one after the other: each is a commit of its own. */
import { useState } from "preact/hooks";
import { ApiError, get, request } from "../../api.ts";
import { text } from "../../i18n.ts";
import { go } from "../../router.ts";
import { may, mayRelease } from "../../session.ts";
import { contentLanguage } from "../../site.ts";
import type { TextKey } from "../../texts/en.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { notify, notifyFailure, offerUndo } from "../../ui/notices.tsx";
import { VerbButton } from "../../ui/verb-button.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import type { PageRow } from "./page-row.ts";

interface BulkActionsProps {
  readonly selected: ReadonlySet<number>;
  readonly isTrash?: boolean;
  readonly onSelect: (ids: ReadonlySet<number>) => void;
  /** Absent where not everything is found. */
  readonly onSelectAll?: () => void;
  readonly onDone: () => void;
}

const VERBS = {
  publish: { name: "publish", title: "publishPages", hint: "publishPagesHint" },
  trash: { name: "moveToTrash", title: "trashPages", hint: "trashPagesHint" },
  restore: { name: "restore", title: "restorePages", hint: "restorePagesHint" },
} as const satisfies Record<string, Readonly<Record<"name" | "title" | "hint", TextKey>>>;

export function BulkActions({ selected, isTrash = false, onSelect, onSelectAll, onDone }: BulkActionsProps) {
  const [verb, setVerb] = useState<keyof typeof VERBS | undefined>(undefined);
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
    const changed: number[] = [];
    setFailures([]);
    for (const [at, id] of [...selected].entries()) {
      setDone(at);
      const path = (action: string): string => `pages/${id}/${action}?language=${contentLanguage.value}`;
      let name = `#${id}`;
      try {
        const before = await get<PageRow>(`${path("")}&fields=title,date_updated_at`);
        name = before.title || name;
        const { value } = await request<PageRow>("POST", path(`${verb}/`));
        if (value.date_updated_at !== before.date_updated_at) changed.push(id);
        left.delete(id);
      } catch (error) {
        failed.push(`${name}: ${error instanceof ApiError && error.message !== "" ? error.message : text("offline")}`);
      }
    }
    setDone(undefined);
    setVerb(undefined);
    setFailures(failed);
    // The pages that failed stay selected.
    onSelect(left);
    if (verb === "trash" && changed.length > 0)
      offerUndo(text("pagesTrashed", { count: changed.length }), () => void restore(changed));
    else notify(text("bulkDone", { count: changed.length }));
    const same = selected.size - left.size - changed.length;
    if (same > 0) notify(text("bulkUnchanged", { count: same }));
    onDone();
  };
  return (
    <section class="bulk" aria-label={text("selectedPages")}>
      <div class="actions">
        <strong>{text("pagesSelected", { count: selected.size })}</strong>
        {isTrash ? (
          <button onClick={() => setVerb("restore")}>{text("restore")}</button>
        ) : (
          <>
            <button onClick={() => setVerb("publish")}>{text("publish")}</button>
            <button onClick={() => setMoving(true)}>{text("moveBelow")}</button>
          </>
        )}
        {!isTrash && mayRelease() && (
          <button onClick={() => go(`releases/_new?pages=${[...selected].join(",")}&lang=${contentLanguage.value}`)}>
            {text("newReleaseOf")}
          </button>
        )}
        {!isTrash && (
          <button class="danger" onClick={() => setVerb("trash")}>
            {text("moveToTrash")}
          </button>
        )}
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
          title={text(VERBS[verb].title, { count: selected.size })}
          onClose={() => done === undefined && setVerb(undefined)}
        >
          <p role="status">
            {done === undefined ? text(VERBS[verb].hint) : text("bulkAt", { at: done + 1, count: selected.size })}
          </p>
          <div class="actions">
            <VerbButton class="primary" isOff={done !== undefined} onPress={() => void run()}>
              {text(VERBS[verb].name)}
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
          onMoved={(left) => {
            onSelect(left);
            notify(text("bulkDone", { count: selected.size - left.size }));
            onDone();
          }}
        />
      )}
    </section>
  );
}
