/** The texts of a file in every language. */
import { text } from "../i18n.ts";
import { isRecord, type Values } from "../json.ts";
import { ChangedElsewhere } from "../merging/changed-elsewhere.tsx";
import { openRecord, type RecordPlace, type RecordState } from "../records/record-state.ts";
import { may } from "../session.ts";
import { directionOf } from "../fields/text-language.ts";
import { languageName, languages } from "../site.ts";
import { attempt, notify } from "../ui/notices.tsx";
import type { MediaText } from "../../model/media/media.ts";
import type { MediaItem } from "./media-item.ts";
import { useLoaded } from "../ui/loaded.ts";

interface MediaTextsProps {
  readonly item: MediaItem;
  readonly fields: readonly (keyof MediaText)[];
  readonly onSaved: (item: MediaItem) => void;
}

const LABELS = { alt_text: "altText", title: "title", description: "description" } as const;

const recordOf = (value: Values[string] | undefined): Values => (isRecord(value) ? value : {});

/** The texts by language, as the record has them. */
const placeOf = (id: number): RecordPlace => ({
  path: "media",
  id,
  blank: {},
  values: ({ translations }) =>
    Object.fromEntries(
      languages.value.map(({ id: lang }) => {
        const { alt_text = null, title = null, description = null } = recordOf(recordOf(translations)[lang]);
        return [lang, { alt_text, title, description }];
      }),
    ),
  sent: (texts) => ({ translations: texts }),
});

export function MediaTexts(props: MediaTextsProps) {
  const record = useLoaded(() => openRecord(placeOf(props.item.id)));
  return record ? <OpenTexts {...props} record={record} /> : null;
}

function OpenTexts({ item, fields, onSaved, record }: MediaTextsProps & { record: RecordState }) {
  const textsOf = (lang: string): Values => recordOf(record.values.value[lang]);
  const isChanged = Object.keys(record.changes.value).length > 0;
  const save = (): Promise<void> =>
    attempt(async () => {
      if (!(await record.save())) return;
      onSaved(record.payload.value as unknown as MediaItem);
      notify(text("saved"));
    });
  const labelOf = ([lang = "", field]: readonly string[]): string =>
    `${text(LABELS[field as keyof MediaText])} (${languageName(lang)})`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void save();
      }}
    >
      {languages.value.flatMap(({ id: lang }) =>
        fields.map((field) => (
          <label key={`${lang} ${field}`}>
            <span>
              {labelOf([lang, field])}{" "}
              {field === "alt_text" && item.is_image && !textsOf(lang)[field] && (
                <small class="missing">{text("missing")}</small>
              )}
            </span>
            <textarea
              lang={lang}
              dir={directionOf(lang)}
              readOnly={!may("change_media")}
              rows={2}
              value={String(textsOf(lang)[field] ?? "")}
              onInput={({ currentTarget: { value } }) =>
                record.set(lang, { ...textsOf(lang), [field]: value === "" ? null : value })
              }
            />
          </label>
        )),
      )}
      {may("change_media") && <button aria-disabled={!isChanged}>{text("saveTexts")}</button>}
      <ChangedElsewhere record={record} title={text("recordConflict")} labelOf={labelOf} onSave={() => void save()} />
    </form>
  );
}
