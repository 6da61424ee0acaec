/** Content blocks: texts that templates show by their identifier, on one page or on the whole site. */
import { plainWords, wordsOfHtml } from "../html-text.ts";
import { storedReference } from "../fields/stored-form.ts";
import { text } from "../i18n.ts";
import { isRecord, type Values } from "../json.ts";
import { knownRecord, LINK_TARGET } from "../records/known-records.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { RecordList } from "../records/record-list.tsx";
import { RecordScreen } from "../records/record-screen.tsx";
import type { RecordPlace } from "../records/record-state.ts";
import { route } from "../router.ts";
import { may } from "../session.ts";
import { languages } from "../site.ts";

/** In characters, in the table. */
const SHOWN_MAX = 120;

export function BlockList() {
  return (
    <RecordList
      title={text("blocks")}
      add={may("add_content") && ["blocks/new", text("newBlock")]}
      path="contents"
      searchLabel={text("searchBlocks")}
      screenOf={({ id }) => `blocks/${String(id)}`}
      columns={[
        { name: text("identifier"), show: ({ identifier }) => String(identifier) },
        { name: text("text"), show: ({ content }) => shortened(String(content)) },
        { name: text("page"), show: ({ object_id: page }) => <PageName id={page} /> },
      ]}
    />
  );
}

function shortened(html: string): string {
  const plain = plainWords(wordsOfHtml(html));
  return plain.length > SHOWN_MAX ? `${plain.slice(0, SHOWN_MAX)}…` : plain;
}

function PageName({ id }: { id: Values[string] | undefined }) {
  if (typeof id !== "number") return <>{text("wholeSite")}</>;
  return <>{knownRecord(LINK_TARGET, id)?.name}</>;
}

const valuesOf = ({ identifier = "", object_id: page, translations }: Values): Values => ({
  identifier,
  object_id: storedReference(LINK_TARGET, page),
  content: Object.fromEntries(
    languages.value.map(({ id }) => {
      const texts = isRecord(translations) ? translations[id] : undefined;
      return [id, isRecord(texts) ? (texts.content ?? "") : ""];
    }),
  ),
});

/** The page on which a new block is begun. */
function pageInAddress(): number | null {
  const page = route.value.query.get("page") ?? "";
  return /^\d+$/.test(page) ? Number(page) : null;
}

const placeOf = (id: number | undefined): RecordPlace => ({
  path: "contents",
  id,
  blank: valuesOf({ object_id: pageInAddress() }),
  values: valuesOf,
  sent: ({ content, ...values }) => ({
    ...values,
    ...(isRecord(content) && {
      translations: Object.fromEntries(Object.entries(content).map(([lang, own]) => [lang, { content: own ?? "" }])),
    }),
  }),
});

export function BlockScreen({ id }: { id: number | undefined }) {
  return (
    <RecordScreen
      place={placeOf(id)}
      title={({ payload }) => String(payload.value.identifier ?? text("newBlock"))}
      list={{ path: "blocks", name: text("blocks") }}
      mayChange={may(id === undefined ? "add_content" : "change_content")}
      mayDelete={may("delete_content")}
    >
      {(record) => (
        <RecordFields
          record={record}
          definitions={[
            { name: "identifier", label: text("identifier"), required: true, isNeverNull: true },
            { name: "object_id", label: text("page"), kind: "ref", target_model: LINK_TARGET },
            { name: "content", label: text("text"), kind: "text", translated: true },
          ]}
        />
      )}
    </RecordScreen>
  );
}
