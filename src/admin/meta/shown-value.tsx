/** A value of a declared field in the cell of a table. */
import { wordsOfHtml } from "../html-text.ts";
import type { FieldDefinition } from "../fields/definition.ts";
import { showDay, showMoment, text } from "../i18n.ts";
import { isList, isRecord, type Json } from "../json.ts";
import { contentLanguage, defaultLanguage } from "../site.ts";
import { smallPicture } from "../media/small-picture.ts";

/** In characters. */
const SHOWN_MAX = 80;
const short = (value: string): string => (value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value);

/** @param value as the API serves it, with references as records */
export function ShownValue({ definition, value }: { definition: FieldDefinition; value: Json | undefined }) {
  const { kind = "string", translated, ...own } = definition;
  if (translated && isRecord(value)) {
    const shown = value[contentLanguage.value] || value[defaultLanguage.value] || null;
    return <ShownValue definition={{ ...own, kind }} value={shown} />;
  }
  if (value === null || value === undefined || value === "") return <span class="none">–</span>;
  if (kind === "boolean") return <>{text(value === true ? "yes" : "no")}</>;
  if (kind === "date") return <>{showDay(String(value))}</>;
  if (kind === "datetime") return <>{showMoment(String(value))}</>;
  if (kind === "select") {
    const labels = (isList(value) ? value : [value]).map(
      (each) => own.choices?.find((choice) => choice.value === each)?.label ?? String(each),
    );
    return labels.length === 0 ? <span class="none">–</span> : <>{short(labels.join(", "))}</>;
  }
  if (kind === "location" && isRecord(value)) return <>{[value.latitude, value.longitude].join(", ")}</>;
  if (isRecord(value) && smallPicture(value))
    return <img class="thumb" src={smallPicture(value)} alt={nameIn(value)} />;
  const shown = kind === "html" ? wordsOfHtml(String(value)) : nameIn(value);
  return shown === "" ? <span class="none">–</span> : <>{short(shown)}</>;
}

const NAMES = ["title", "name", "identifier", "permalink", "key", "username", "static"];

/** The name of a record; of values without a name, the first text in them. */
function nameIn(value: Json): string {
  if (isList(value)) return value.map(nameIn).filter(Boolean).join(", ");
  if (!isRecord(value)) return value === null || typeof value === "boolean" ? "" : String(value);
  const named = NAMES.map((name) => value[name]).find((each) => typeof each === "string" && each !== "");
  if (named !== undefined) return String(named);
  if (typeof value.id === "number") return `#${value.id}`;
  const parts = Object.entries(value).filter(([name]) => name !== "link_type" && name !== "url");
  return parts.map(([, part]) => nameIn(part)).find((each) => each !== "") ?? "";
}
