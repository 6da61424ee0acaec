/** What is known of the derived permalinks of a table. */
import { lacksPermalinks } from "../../../model/address/omitted-permalinks.ts";
import type { Lang, Locales } from "../../../model/language/locale.ts";
import type { Id, Page } from "../../../model/page/page.ts";
import type { Completed, Entry } from "../record-type.ts";
import { SharedMap } from "../../maps/shared-map.ts";

export interface Derived extends Completed {
  /** The permalinks each page was compared with, beside its own; and the pages by these permalinks. */
  readonly asked: SharedMap<Id, readonly string[]>;
  readonly askers: SharedMap<string, readonly Id[]>;
  /** Since when the history has what their permalinks are derived from, for the pages that claim one which others claim, too. */
  readonly ranks: ReadonlyMap<Lang, ReadonlyMap<Id, number>>;
}

export const NOTHING_DERIVED: Omit<Derived, "byId"> = {
  lacking: new SharedMap(),
  above: new SharedMap(),
  asked: new SharedMap(),
  askers: new SharedMap(),
  ranks: new Map(),
  isContested: false,
};

export const isLacking = (entry: Entry, locales: Locales): boolean =>
  !(entry.cached?.isSelfContained ?? !lacksPermalinks(entry.record as Page, locales));

export const completedEntry = ({ base, files, broken }: Entry, record: Page): Entry => ({
  record,
  base,
  files,
  ...(broken && { broken }),
});
