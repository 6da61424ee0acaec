/** The texts of a file in every language. */
import { useState } from "preact/hooks";
import { request } from "../api.ts";
import { text } from "../i18n.ts";
import { may } from "../session.ts";
import { languages } from "../site.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
import type { MediaItem, MediaText } from "./media-item.ts";

interface MediaTextsProps {
  readonly item: MediaItem;
  readonly fields: readonly (keyof MediaText)[];
  readonly onSaved: (item: MediaItem) => void;
}

const LABELS = { alt_text: "altText", title: "title", description: "description" } as const;

export function MediaTexts({ item, fields, onSaved }: MediaTextsProps) {
  const [typed, setTyped] = useState<MediaItem["translations"]>({});
  const textOf = (lang: string, field: keyof MediaText): string =>
    String(typed[lang]?.[field] ?? item.translations[lang]?.[field] ?? "");
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      const { value } = await request<MediaItem>("PATCH", `media/${item.id}/`, { body: { translations: typed } });
      setTyped({});
      onSaved(value);
      notify(text("saved"));
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      {languages.value.flatMap(({ id: lang, name }) =>
        fields.map((field) => (
          <label key={`${lang} ${field}`}>
            <span>
              {text(LABELS[field])} ({name}){" "}
              {field === "alt_text" && item.is_image && textOf(lang, field) === "" && (
                <small class="missing">{text("missing")}</small>
              )}
            </span>
            <textarea
              lang={lang}
              readOnly={!may("change_media")}
              rows={2}
              value={textOf(lang, field)}
              onInput={({ currentTarget: { value } }) =>
                setTyped({ ...typed, [lang]: { ...item.translations[lang]!, ...typed[lang], [field]: value } })
              }
            />
          </label>
        )),
      )}
      {may("change_media") && <button disabled={Object.keys(typed).length === 0}>{text("saveTexts")}</button>}
    </form>
  );
}
