/** The choice between what was typed and what another editor saved to the same values meanwhile. */
import { useState } from "preact/hooks";
import { pathLabel, TextDifference } from "../history/differences.tsx";
import { shownValue } from "../history/field-differences.ts";
import { text } from "../i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { pathKey, type Contested } from "./contested-values.ts";
import type { PageState } from "./page-state.ts";

interface ChangedElsewhereProps {
  readonly page: PageState;
  readonly contested: readonly Contested[];
  readonly onSave: () => Promise<void>;
}

export function ChangedElsewhere({ page, contested, onSave }: ChangedElsewhereProps) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, isTaken: boolean): void =>
    setTaken(new Set(isTaken ? [...taken, key] : [...taken].filter((each) => each !== key)));
  const settle = (): void => {
    page.settle((path) => taken.has(path));
    void onSave();
  };
  return (
    <Dialog title={text("conflictTitle")} onClose={() => page.postpone()} isWide>
      <p>{text("contestedText")}</p>
      {contested.map((each) => (
        <ContestedValue
          key={pathKey(each.path)}
          value={each}
          isTaken={taken.has(pathKey(each.path))}
          onChoose={(isTaken) => choose(pathKey(each.path), isTaken)}
        />
      ))}
      <div class="actions">
        <button class="primary" onClick={settle}>
          {text("saveChoices")}
        </button>
        <button onClick={() => void page.reload().catch(notifyFailure)}>{text("loadTheirs")}</button>
        <button onClick={() => page.postpone()}>{text("cancel")}</button>
      </div>
    </Dialog>
  );
}

interface ContestedValueProps {
  readonly value: Contested;
  readonly isTaken: boolean;
  readonly onChoose: (isTaken: boolean) => void;
}

function ContestedValue({ value: { path, mine, theirs }, isTaken, onChoose }: ContestedValueProps) {
  const name = pathKey(path);
  const choice = (takes: boolean) => (
    <label class="flag">
      <input type="radio" name={name} checked={isTaken === takes} onChange={() => onChoose(takes)} />
      {text(takes ? "takeTheirs" : "keepMine")}
    </label>
  );
  return (
    <fieldset class="contested">
      <legend>{pathLabel(path)}</legend>
      <p>
        <TextDifference before={shownValue(theirs)} after={shownValue(mine)} />
      </p>
      {choice(false)}
      {choice(true)}
    </fieldset>
  );
}
