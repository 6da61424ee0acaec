/** Asks what of a revision is restored: one language, or all with what they share, and shows what would change in each. */
import { useState } from "preact/hooks";
import type { Definitions } from "../fields/definition.ts";
import { pathWordsIn, wordsIn } from "../fields/value-words.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { SHARED, TEXTS } from "../pages/page-fields.ts";
import { languageName, languages } from "../site.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Differences } from "./differences.tsx";
import { fieldDifferences, ownValues } from "./field-differences.ts";

interface RestoreDialogProps {
  /** The page at the revision, with its translations. */
  readonly former: Values;
  readonly now: Values;
  readonly definitions: Definitions;
  readonly lang: string;
  readonly onClose: () => void;
  readonly onRestore: (isAll: boolean) => void;
}

export function RestoreDialog({ former, now, definitions, lang, onClose, onRestore }: RestoreDialogProps) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? languages.value.map(({ id }) => id) : [lang];
  // One language stays as public as it is.
  const names = isAll ? [...TEXTS, "published_at"] : TEXTS;
  const differences = (before: Values, after: Values, of: readonly string[]) => (
    <Differences
      list={fieldDifferences(before, after, of, wordsIn(definitions, before, after))}
      labelOf={pathWordsIn(definitions, before, after)}
    />
  );
  const choice = (value: boolean, label: string) => (
    <label class="flag">
      <input type="radio" name="scope" checked={isAll === value} onChange={() => setAll(value)} />
      {label}
    </label>
  );
  return (
    <FormDialog
      title={text("restoreTitle")}
      verb={text("restore")}
      onClose={onClose}
      onSubmit={() => onRestore(isAll)}
      isWide
    >
      {languages.value.length > 1 && (
        <div class="choices">
          {choice(false, text("restoreOne", { language: languageName(lang) }))}
          {choice(true, text("restoreAll"))}
        </div>
      )}
      <p class="hint">{text("restoreHint")}</p>
      {shown.map((id) => (
        <section key={id} aria-label={languageName(id)}>
          <h3>{languageName(id)}</h3>
          {differences(ownValues(now, id), ownValues(former, id), names)}
        </section>
      ))}
      {isAll && (
        <section aria-label={text("sharedFields")}>
          <h3>{text("sharedFields")}</h3>
          {differences(now, former, SHARED)}
        </section>
      )}
    </FormDialog>
  );
}
