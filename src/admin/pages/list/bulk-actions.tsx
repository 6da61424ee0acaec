/** What is done with all selected pages. */
import { useState } from "preact/hooks";
import { get, request } from "../../api.ts";
import { text } from "../../i18n.ts";
import { UseList, usesOfPages } from "../../media/media-uses.tsx";
import { go } from "../../router.ts";
import { may, mayRelease } from "../../session.ts";
import { contentLanguage } from "../../site.ts";
import { BulkBar, type BulkVerb } from "../../ui/bulk-bar.tsx";
import { useLoaded } from "../../ui/loaded.ts";
import { notify, notifyFailure, offerUndo } from "../../ui/notices.tsx";
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

const runner =
  (verb: string): BulkVerb["run"] =>
  async (id, named) => {
    const path = (action: string): string => `pages/${id}/${action}?language=${contentLanguage.value}`;
    const before = await get<PageRow>(`${path("")}&fields=title,date_updated_at`);
    named(before.title || `#${id}`);
    const { value } = await request<PageRow>("POST", path(`${verb}/`));
    return value.date_updated_at !== before.date_updated_at;
  };

/** What names the pages, once it is known. */
function NamedIn({ ids }: { readonly ids: ReadonlySet<number> }) {
  const uses = useLoaded(() => usesOfPages("pages", [...ids])) ?? [];
  if (uses.length === 0) return null;
  return (
    <>
      <p>{text("trashNamed", { count: uses.length })}</p>
      <UseList links={uses} />
    </>
  );
}

export function BulkActions({ selected, isTrash = false, onSelect, onSelectAll, onDone }: BulkActionsProps) {
  const [isMoving, setMoving] = useState(false);
  if (!may("change_page")) return null;
  const restore = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) await request("POST", `pages/${id}/restore/`).catch(notifyFailure);
    onDone();
  };
  const verbs: readonly BulkVerb[] = isTrash
    ? [{ name: "restore", title: "restorePages", hint: "restorePagesHint", run: runner("restore") }]
    : [
        { name: "publish", title: "publishPages", hint: "publishPagesHint", run: runner("publish") },
        {
          ...{ name: "moveToTrash", title: "trashPages", hint: "trashPagesHint", isDanger: true, Told: NamedIn },
          run: runner("trash"),
          done: (ids) => void offerUndo(text("pagesTrashed", { count: ids.length }), () => void restore(ids)),
        },
      ];
  return (
    <>
      <BulkBar label={text("selectedPages")} {...{ selected, verbs, onSelect, onSelectAll, onDone }}>
        {!isTrash && <button onClick={() => setMoving(true)}>{text("moveBelow")}</button>}
        {!isTrash && mayRelease() && (
          <button onClick={() => go(`releases/_new?pages=${[...selected].join(",")}&lang=${contentLanguage.value}`)}>
            {text("newReleaseOf")}
          </button>
        )}
      </BulkBar>
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
    </>
  );
}
