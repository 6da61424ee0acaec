/** The languages of a dump: django-modeltranslation has a column for each, `title_pt_br` beside `title`. */
import { objectOf, own, sameJson, type JsonObject } from "../../model/input/json.ts";
import type { DumpRow } from "./dump-file.ts";

export interface DumpLanguages {
  /** As camomilla writes them; none for a site without translations. */
  readonly codes: readonly string[];
  readonly defaultLang: string | undefined;
  /**
   * The fields of a row, parted.
   *
   * @param translated those that have languages also where the site has only one, which is then ""
   */
  part(
    fields: JsonObject,
    translated: ReadonlySet<string>,
  ): { readonly fields: JsonObject; readonly texts: { readonly [lang: string]: JsonObject } };
}

/** Fields that every translated model of camomilla has one of. */
const TOLD_BY = ["permalink", "title", "name", "content", "nodes", "alt_text"];
const SUFFIX = /^[a-z]{2,3}(?:_[a-z0-9]{2,8})?$/;

export function languagesOf(rows: readonly DumpRow[]): DumpLanguages {
  const suffixes = new Set<string>();
  const agreeing = new Map<string, number>();
  for (const { label, fields } of rows) {
    if (!label.startsWith("camomilla.")) continue;
    for (const name of TOLD_BY) {
      const stated = own(fields, name);
      if (stated === undefined) continue;
      const columns = Object.keys(fields).filter(
        (key) => key.startsWith(`${name}_`) && SUFFIX.test(key.slice(name.length + 1)),
      );
      const same = columns.filter((key) => sameJson(fields[key], stated));
      for (const key of columns) suffixes.add(key.slice(name.length + 1));
      // The column without a language has the value of the default one.
      if (same.length === 1 && columns.length > 1) {
        const suffix = same[0]!.slice(name.length + 1);
        agreeing.set(suffix, (agreeing.get(suffix) ?? 0) + 1);
      }
    }
  }
  const best = [...agreeing].sort((a, b) => b[1] - a[1])[0]?.[0] ?? [...suffixes][0];
  const codes = [...suffixes].map(codeOf);
  return {
    codes,
    defaultLang: best === undefined ? undefined : codeOf(best),
    part: (fields, translated) => partsOf(fields, [...suffixes], translated),
  };
}

const codeOf = (suffix: string): string => suffix.replaceAll("_", "-");

function partsOf(
  fields: JsonObject,
  suffixes: readonly string[],
  translated: ReadonlySet<string>,
): ReturnType<DumpLanguages["part"]> {
  const texts = new Map<string, [string, JsonObject[string]][]>();
  const put = (lang: string, name: string, value: JsonObject[string]): void => {
    const others = texts.get(lang);
    if (others) others.push([name, value]);
    else texts.set(lang, [[name, value]]);
  };
  const plain: [string, JsonObject[string]][] = [];
  const parted = new Set<string>();
  for (const [key, value] of Object.entries(fields)) {
    const suffix = suffixes.find((each) => key.endsWith(`_${each}`) && key.slice(0, -each.length - 1) in fields);
    if (suffix === undefined) continue;
    const name = key.slice(0, -suffix.length - 1);
    put(codeOf(suffix), name, value);
    parted.add(name).add(key);
  }
  for (const [key, value] of Object.entries(fields)) {
    if (parted.has(key)) continue;
    if (translated.has(key) && suffixes.length === 0) put("", key, value);
    else plain.push([key, value]);
  }
  return {
    fields: objectOf(plain),
    texts: objectOf([...texts].map(([lang, entries]) => [lang, objectOf(entries)] as const)),
  };
}
