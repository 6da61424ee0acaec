/** The choice between what was typed and what another editor saved to the same values meanwhile. */
import { useState } from "preact/hooks";
import { pathLabel } from "../fields/field-labels.ts";
import { TextDifference } from "../history/differences.tsx";
import { shownValue } from "../history/field-differences.ts";
import { text } from "../i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { pathKey, type Contested } from "./contested-values.ts";

interface ChangedElsewhereProps {
  readonly title: string;
  readonly contested: readonly Contested[];
  /** What the values are called; by default as those of pages. */
  readonly labelOf?: (path: readonly string[]) => string;
  /** @param takesTheirs by path */
  readonly onSettle: (takesTheirs: (path: string) => boolean) => void;
  /** Takes all of theirs. */
  readonly onReload: () => void;
  readonly onCancel: () => void;
}

export function ChangedElsewhere({ title, contested, labelOf = pathLabel, ...on }: ChangedElsewhereProps) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, isTaken: boolean): void =>
    setTaken(new Set(isTaken ? [...taken, key] : [...taken].filter((each) => each !== key)));
  return (
    <Dialog title={title} onClose={on.onCancel} isWide>
      <p>{text("contestedText")}</p>
      {contested.map((each) => (
        <ContestedValue
          key={pathKey(each.path)}
          value={each}
          label={labelOf(each.path)}
          isTaken={taken.has(pathKey(each.path))}
          onChoose={(isTaken) => choose(pathKey(each.path), isTaken)}
        />
      ))}
      <div class="actions">
        <button type="button" class="primary" onClick={() => on.onSettle((path) => taken.has(path))}>
          {text("saveChoices")}
        </button>
        <button type="button" onClick={on.onReload}>
          {text("loadTheirs")}
        </button>
        <button type="button" onClick={on.onCancel}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}

interface ContestedValueProps {
  readonly value: Contested;
  readonly label: string;
  readonly isTaken: boolean;
  readonly onChoose: (isTaken: boolean) => void;
}

function ContestedValue({ value: { path, mine, theirs }, label, isTaken, onChoose }: ContestedValueProps) {
  const name = pathKey(path);
  const choice = (takes: boolean) => (
    <label class="flag">
      <input type="radio" name={name} checked={isTaken === takes} onChange={() => onChoose(takes)} />
      {text(takes ? "takeTheirs" : "keepMine")}
    </label>
  );
  return (
    <fieldset class="contested">
      <legend>{label}</legend>
      <p>
        <TextDifference before={shownValue(theirs)} after={shownValue(mine)} />
      </p>
      {choice(false)}
      {choice(true)}
    </fieldset>
  );
}
