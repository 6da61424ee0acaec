/** What is done with all selected records, one after the other: each is a commit of its own. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import { text } from "../i18n.ts";
import type { TextKey } from "../texts/en.ts";
import { Dialog } from "./dialog.tsx";
import { notify } from "./notices.tsx";
import { VerbButton } from "./verb-button.tsx";

export interface BulkVerb {
  readonly name: TextKey;
  /** What is asked before, with `{count}`. */
  readonly title: TextKey;
  readonly hint: TextKey;
  readonly isDanger?: true;
  /** What is told below the hint before. */
  readonly Told?: (props: { readonly ids: ReadonlySet<number> }) => ComponentChildren;
  /** @param named is told what the record is called @returns whether that changed it @throws ApiError */
  run(id: number, named: (name: string) => void): Promise<boolean>;
  /** Tells what was done; by default, with how many. */
  done?(changed: readonly number[]): void;
}

interface BulkBarProps {
  readonly label: string;
  readonly selected: ReadonlySet<number>;
  readonly verbs: readonly BulkVerb[];
  readonly onSelect: (ids: ReadonlySet<number>) => void;
  /** Absent where not everything is found. */
  readonly onSelectAll?: (() => void) | undefined;
  readonly onDone: () => void;
  /** Other buttons. */
  readonly children?: ComponentChildren;
}

export function BulkBar({ label, selected, verbs, onSelect, onSelectAll, onDone, children }: BulkBarProps) {
  const [verb, setVerb] = useState<BulkVerb | undefined>(undefined);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [failures, setFailures] = useState<readonly string[]>([]);
  if (selected.size === 0 && failures.length === 0) return null;
  const run = async ({ run: runOn, done }: BulkVerb): Promise<void> => {
    const failed: string[] = [];
    const left = new Set(selected);
    const changed: number[] = [];
    setFailures([]);
    for (const [place, id] of [...selected].entries()) {
      setAt(place);
      let name = `#${id}`;
      try {
        if (await runOn(id, (found) => (name = found))) changed.push(id);
        left.delete(id);
      } catch (error) {
        failed.push(`${name}: ${error instanceof ApiError && error.message !== "" ? error.message : text("offline")}`);
      }
    }
    setAt(undefined);
    setVerb(undefined);
    setFailures(failed);
    // Those that failed stay selected.
    onSelect(left);
    if (done && changed.length > 0) done(changed);
    else notify(text("bulkDone", { count: changed.length }));
    const same = selected.size - left.size - changed.length;
    if (same > 0) notify(text("bulkUnchanged", { count: same }));
    onDone();
  };
  const buttons = (isDanger: boolean) =>
    verbs
      .filter((each) => (each.isDanger === true) === isDanger)
      .map((each) => (
        <button key={each.name} class={isDanger ? "danger" : undefined} onClick={() => setVerb(each)}>
          {text(each.name)}
        </button>
      ));
  return (
    <section class="bulk" aria-label={label}>
      <div class="actions">
        <strong>{text("pagesSelected", { count: selected.size })}</strong>
        {buttons(false)}
        {children}
        {buttons(true)}
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
          title={text(verb.title, { count: selected.size })}
          onClose={() => at === undefined && setVerb(undefined)}
        >
          <p role="status">
            {at === undefined ? text(verb.hint) : text("bulkAt", { at: at + 1, count: selected.size })}
          </p>
          {verb.Told && <verb.Told ids={selected} />}
          <div class="actions">
            <VerbButton class="primary" isOff={at !== undefined} onPress={() => void run(verb)}>
              {text(verb.name)}
            </VerbButton>
            <VerbButton isOff={at !== undefined} onPress={() => setVerb(undefined)}>
              {text("cancel")}
            </VerbButton>
          </div>
        </Dialog>
      )}
    </section>
  );
}
