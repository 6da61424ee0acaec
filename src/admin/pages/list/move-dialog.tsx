/** Moves pages below another one, after it has said what becomes of their addresses. */
import { useEffect, useState } from "preact/hooks";
import { request } from "../../api.ts";
import { text } from "../../i18n.ts";
import { RecordChoice } from "../../records/record-choice.tsx";
import { contentLanguage } from "../../site.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { notifyFailure } from "../../ui/notices.tsx";
import { VerbButton } from "../../ui/verb-button.tsx";
import { AddressChanges, readAddressChanges, type ChangedAddresses } from "../address-changes.tsx";
import { nameOfRow, type PageRow } from "./page-row.ts";

export interface Move {
  readonly pages: readonly Pick<PageRow, "id" | "title">[];
  /** The page that they go below; null: the top level. Undefined: it is chosen in the dialog. */
  readonly parent?: number | null;
  /** @param left the pages that could not be moved, fewer than all */
  readonly onMoved: (left: ReadonlySet<number>) => void;
}

/** Pages whose addresses are asked for before they move. */
const ASKED_MAX = 20;

export function MoveDialog({ pages, parent: given, onMoved, onClose }: Move & { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [told, setTold] = useState<ChangedAddresses | Error | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const parent = given === undefined ? chosen : given;
  useEffect(() => {
    const superseded = new AbortController();
    setTold(undefined);
    const asked = pages
      .slice(0, ASKED_MAX)
      .map(({ id }) =>
        readAddressChanges(`pages/${id}`, contentLanguage.value, { parent_page: parent }, superseded.signal),
      );
    Promise.all(asked).then(
      (all) => setTold({ count: sum(all), changes: all.flatMap(({ changes }) => changes) }),
      (error: unknown) => superseded.signal.aborted || setTold(error as Error),
    );
    return () => superseded.abort();
  }, [parent]);
  const move = async (): Promise<void> => {
    setBusy(true);
    const left = new Set<number>();
    for (const { id, title } of pages)
      await request("PATCH", `pages/${id}/?language=${contentLanguage.value}`, { body: { parent_page: parent } }).catch(
        (error: unknown) => {
          notifyFailure(error, title || `#${id}`);
          left.add(id);
        },
      );
    onClose();
    if (left.size < pages.length) onMoved(left);
  };
  const [first] = pages;
  const name =
    pages.length === 1 && first ? nameOfRow(first as PageRow) : text("pagesSelected", { count: pages.length });
  return (
    <Dialog title={text("moveTitle", { name })} onClose={onClose} isWide>
      {given === undefined && (
        <fieldset>
          <legend>{text("parentPage")}</legend>
          <RecordChoice model="cms.Page" name={text("parentPage")} id={chosen} onChoose={setChosen} />
          <p class="hint">{text("noParentHint")}</p>
        </fieldset>
      )}
      {told instanceof Error ? <p role="alert">{told.message}</p> : told && <AddressChanges changed={told} />}
      {pages.length > ASKED_MAX && <p class="hint">{text("addressesOfSome", { count: ASKED_MAX })}</p>}
      <div class="actions">
        <VerbButton class="primary" isOff={!told || told instanceof Error || isBusy} onPress={() => void move()}>
          {text("movePages")}
        </VerbButton>
        <button onClick={onClose}>{text("cancel")}</button>
      </div>
    </Dialog>
  );
}

const sum = (all: readonly ChangedAddresses[]): number => all.reduce((total, { count }) => total + count, 0);
