/** What is known of the derived permalinks of a table. */
import { lacksPermalinks, permalinkKey } from "../../../model/address/derived-permalinks.ts";
import type { Locales } from "../../../model/language/locale.ts";
import { permalinkIn, type Id, type Page } from "../../../model/page/page.ts";
import type { Entry, Table } from "../record-type.ts";
import { SharedMap } from "../../maps/shared-map.ts";

export interface Derived {
  /** Every page, with derived permalinks. */
  readonly byId: Table["byId"];
  /** The pages that leave permalinks out, as their files have them. */
  readonly lacking: SharedMap<Id, Entry>;
  /** See `DerivedPage.first`. */
  readonly firsts: SharedMap<Id, Id>;
  /** The permalinks each page was compared with, where it did not get the first; and the pages by these permalinks. */
  readonly asked: SharedMap<Id, readonly string[]>;
  readonly askers: SharedMap<string, readonly Id[]>;
  /** Whether a page is its own ancestor. The order of the pages then depends on where the circle is entered. */
  readonly hasCircle: boolean;
}

export const NOTHING_DERIVED: Omit<Derived, "byId"> = {
  lacking: new SharedMap(),
  firsts: new SharedMap(),
  asked: new SharedMap(),
  askers: new SharedMap(),
  hasCircle: false,
};

export const isLacking = (entry: Entry, locales: Locales): boolean =>
  !(entry.cached?.isSelfContained ?? !lacksPermalinks(entry.record as Page, locales));

/** A page that got what it asked first is found by its permalink. */
export const comparedOf = (page: Page, asked: readonly string[], { codes }: Locales): readonly string[] => {
  const own = new Set(codes.map((lang) => permalinkKey(lang, permalinkIn(page, lang) ?? "")));
  return [...new Set(asked)].filter((key) => !own.has(key));
};

export const completedEntry = ({ base, files, broken }: Entry, record: Page): Entry => ({
  record,
  base,
  files,
  ...(broken && { broken }),
});
