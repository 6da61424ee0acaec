/** Chooses another language whose texts are shown beside those that are edited, or whose form is beside this one. */
import { useRef } from "preact/hooks";
import { get } from "../api.ts";
import type { Source } from "../fields/source-text.tsx";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { languages } from "../site.ts";
import { attempt } from "../ui/notices.tsx";
import { editableValues, type PageState } from "./page-state.ts";

/** When each text was changed last: by language, then by its path. */
type TextChanges = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface SourceChoiceProps {
  readonly page: PageState;
  readonly source: Source | undefined;
  readonly onChoose: (source: Source | undefined) => void;
  readonly beside: string | undefined;
  readonly onBeside: (lang: string | undefined) => void;
}

/** Before the id of a language whose form is chosen. */
const FORM = "form:";

export function SourceChoice({ page, source, onChoose, beside, onBeside }: SourceChoiceProps) {
  const others = languages.value.filter(({ id }) => id !== page.lang);
  const latest = useRef("");
  const choose = async (chosen: string): Promise<void> => {
    latest.current = chosen;
    onBeside(chosen.startsWith(FORM) ? chosen.slice(FORM.length) : undefined);
    const other = others.find(({ id }) => id === chosen);
    if (!other) return onChoose(undefined);
    await attempt(async () => {
      const found = await sourceIn(page, other.id, other.name);
      // Meanwhile, another one may have been chosen.
      if (latest.current === chosen) onChoose(found);
    });
  };
  if (others.length === 0) return null;
  return (
    <label class="source-choice">
      {text("showBeside")}
      <select
        value={beside === undefined ? (source?.lang ?? "") : FORM + beside}
        onChange={({ currentTarget }) => void choose(currentTarget.value)}
      >
        <option value="">{text("noChoice")}</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {others.map(({ id, name }) => (
          <option key={FORM + id} value={FORM + id}>
            {text("besideToEdit", { language: name })}
          </option>
        ))}
      </select>
    </label>
  );
}

async function sourceIn(page: PageState, lang: string, name: string): Promise<Source> {
  const at = `${page.collection}/${page.id}`;
  const [payload, changes] = await Promise.all([
    get<Values>(`${at}/preview/?language=${encodeURIComponent(lang)}`),
    // Without revisions, nothing is known of the age of a text.
    get<TextChanges>(`${at}/text-changes/`).catch((): TextChanges => ({})),
  ]);
  return {
    lang,
    name,
    values: editableValues(payload, lang, page.model),
    translated: () => page.values.value,
    isNewer(path) {
      const [field = "", key] = path.split(".");
      // What is edited now is newer than everything.
      if (field in page.changes.value) return false;
      const changed = key === undefined ? field : `${field}.${key}`;
      const [own, source] = [changes[page.lang]?.[changed], changes[lang]?.[changed]];
      return own !== undefined && source !== undefined && own < source;
    },
  };
}
