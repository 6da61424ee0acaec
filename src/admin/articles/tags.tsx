/** The tags of articles: listed, created, renamed in every language, deleted. */
import { text } from "../i18n.ts";
import { isRecord, type Values } from "../json.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { RecordList } from "../records/record-list.tsx";
import { RecordScreen } from "../records/record-screen.tsx";
import type { RecordPlace } from "../records/record-state.ts";
import { may } from "../session.ts";
import { languages } from "../site.ts";

const nameIn = ({ translations }: Values, lang: string): string => {
  const texts = isRecord(translations) ? translations[lang] : undefined;
  return isRecord(texts) ? String(texts.name ?? "") : "";
};

export function TagList() {
  return (
    <RecordList
      title={text("tags")}
      add={may("add_tag") && ["tags/new", text("newTag")]}
      path="tags"
      searchLabel={text("searchTags")}
      screenOf={({ id }) => `tags/${String(id)}`}
      columns={[
        { name: text("name"), show: ({ id, name }) => String(name || `#${String(id)}`) },
        ...languages.value.map(({ id: lang, name }) => ({
          name,
          show: (tag: Values) => nameIn(tag, lang) || <span class="missing">{text("missing")}</span>,
        })),
      ]}
    />
  );
}

const valuesOf = (tag: Values): Values => ({
  name: Object.fromEntries(languages.value.map(({ id }) => [id, nameIn(tag, id)])),
});

const placeOf = (id: number | undefined): RecordPlace => ({
  path: "tags",
  id,
  blank: valuesOf({}),
  values: valuesOf,
  sent: ({ name }) => ({
    translations: Object.fromEntries(
      Object.entries(isRecord(name) ? name : {}).map(([lang, own]) => [lang, { name: own || null }]),
    ),
  }),
});

export function TagScreen({ id }: { id: number | undefined }) {
  return (
    <RecordScreen
      place={placeOf(id)}
      title={({ payload }) => String(payload.value.name || text(id === undefined ? "newTag" : "tag"))}
      list={{ path: "tags", name: text("tags") }}
      mayChange={may(id === undefined ? "add_tag" : "change_tag")}
      mayDelete={may("delete_tag")}
    >
      {(record) => (
        <RecordFields record={record} definitions={[{ name: "name", label: text("name"), translated: true }]} />
      )}
    </RecordScreen>
  );
}
