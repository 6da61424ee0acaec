/** Starting a language from the texts of another one. */
import { useRef } from "preact/hooks";
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { useOwnValues } from "../records/own-values.ts";
import { defaultLanguage, languages } from "../site.ts";
import { attempt } from "../ui/notices.tsx";
import { editableValues, type PageState } from "./page-state.ts";

/** What is translated; an address is made of the title. */
const COPIED = ["title", "description", "content", "template_data"];

export function CopyTexts({ page }: { page: PageState }) {
  const { title } = useOwnValues(page, ["title"]);
  const hint = useRef<HTMLParagraphElement>(null);
  const from = languages.value.find(({ id }) => id === defaultLanguage.value);
  if (!from || from.id === page.lang || title) return null;
  const copy = (): Promise<void> =>
    attempt(async () => {
      const payload = await get<Values>(`${page.collection}/${page.id}/preview/?language=${from.id}`);
      const values = editableValues(payload, from.id, page.model);
      // The button that has the focus is gone as soon as there is a title.
      hint.current?.closest("fieldset")?.querySelector("input")?.focus();
      for (const name of COPIED) page.set(name, values[name] ?? null);
    });
  return (
    <p class="hint" ref={hint}>
      {text("notTranslated")}{" "}
      <button type="button" onClick={() => void copy()}>
        {text("copyFrom", { language: from.name })}
      </button>
    </p>
  );
}
