/** The choice between what was typed and what another editor saved to the same values meanwhile. */
import { useState } from "preact/hooks";
import { pathLabel } from "../fields/field-labels.ts";
import { valueWords } from "../fields/value-words.ts";
import { TextDifference } from "../history/differences.tsx";
import { text } from "../i18n.ts";
import type { Json } from "../json.ts";
import type { RecordState } from "../records/record-state.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { pathKey, type Contested } from "./contested-values.ts";

interface ChangedElsewhereProps {
  readonly record: RecordState;
  readonly title: string;
  /** What the values are called; by default as those of pages. */
  readonly labelOf?: (path: readonly string[]) => string;
  /** A value as a text that can be compared word by word. */
  readonly textOf?: (value: Json, path: readonly string[]) => string;
  /** Saves what was chosen. */
  readonly onSave: () => void;
}

export const ChangedElsewhere = (props: ChangedElsewhereProps) =>
  props.record.contested.value ? <Choices {...props} contested={props.record.contested.value} /> : null;

interface ChoicesProps extends ChangedElsewhereProps {
  readonly contested: readonly Contested[];
}

function Choices({
  record,
  title,
  contested,
  labelOf = pathLabel,
  textOf = (value) => valueWords(value),
  onSave,
}: ChoicesProps) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, isTaken: boolean): void =>
    setTaken(new Set(isTaken ? [...taken, key] : [...taken].filter((each) => each !== key)));
  return (
    <Dialog title={title} onClose={() => record.postpone()} isWide>
      <p>{text("contestedText")}</p>
      {contested.map(({ path, mine, theirs }) => (
        <ContestedValue
          key={pathKey(path)}
          name={pathKey(path)}
          label={labelOf(path)}
          mine={textOf(mine, path)}
          theirs={textOf(theirs, path)}
          isTaken={taken.has(pathKey(path))}
          onChoose={(isTaken) => choose(pathKey(path), isTaken)}
        />
      ))}
      <div class="actions">
        <button
          type="button"
          class="primary"
          // A verb that waits for the choice saves by itself.
          onClick={() => record.settle((path) => taken.has(path)) || onSave()}
        >
          {text("saveChoices")}
        </button>
        <button type="button" onClick={() => void record.reload().catch(notifyFailure)}>
          {text("loadTheirs")}
        </button>
        <button type="button" onClick={() => record.postpone()}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}

interface ContestedValueProps {
  readonly name: string;
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  readonly isTaken: boolean;
  readonly onChoose: (isTaken: boolean) => void;
}

function ContestedValue({ name, label, mine, theirs, isTaken, onChoose }: ContestedValueProps) {
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
        <TextDifference before={theirs} after={mine} />
      </p>
      {choice(false)}
      {choice(true)}
    </fieldset>
  );
}
