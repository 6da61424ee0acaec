/** The text of another language beside the control of the same text. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { text, uiLanguage } from "../i18n.ts";
import { valueAt, type Values } from "../json.ts";

/** What is translated from. */
export interface Source {
  readonly lang: string;
  readonly name: string;
  readonly values: Values;
  /** The values of the language that is edited. */
  translated(): Values;
  /** Whether the source of a text was changed after it. @param path names and indexes joined by dots */
  isNewer(path: string): boolean;
}

export const SourceContext = createContext<Source | undefined>(undefined);

/** Nothing where there is no source, or where it has no text. */
export function SourceText({ path }: { path: string }) {
  const source = useContext(SourceContext);
  if (!source) return null;
  const there = valueAt(source.values, path);
  if (typeof there !== "string" || there === "") return null;
  const here = valueAt(source.translated(), path);
  const isMissing = here === null || here === "";
  const mark = isMissing ? "notYetTranslated" : source.isNewer(path) ? "sourceIsNewer" : undefined;
  return (
    <blockquote class="source" lang={source.lang}>
      {mark && (
        <span class="badge" lang={uiLanguage.value}>
          {text(mark, { language: source.name })}
        </span>
      )}
      {there}
    </blockquote>
  );
}
