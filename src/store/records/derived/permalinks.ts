/**
 * The pages of a table with the permalinks that their files leave out, kept with the table and followed by its changes.
 *
 * A permalink is derived from the page's title, its parent's permalink, and the answers whether the permalinks it was
 * compared with are taken by a page that has priority. A change therefore concerns the pages for which one of these
 * differs; they are derived again in the order in which all would be (model/address/derived-permalinks.ts), so that the result is
 * the one made anew.
 */
import { deriveAllPermalinks, lacksPermalinks, permalinkKey } from "../../../model/address/derived-permalinks.ts";
import type { Lang, Locales } from "../../../model/language/locale.ts";
import { permalinkIn, type Id, type Page } from "../../../model/page/page.ts";
import { openPace } from "../../../time-slices.ts";
import { pageIn } from "../key-index.ts";
import type { Completed, Completion, Entry, Table } from "../record-type.ts";
import { SharedMap } from "../../maps/shared-map.ts";
import { byAge } from "../../snapshot.ts";
import { changedInSteps, DerivedChange, STEP } from "./change.ts";
import { comparedOf, completedEntry, isLacking, NOTHING_DERIVED, type Derived } from "./derived.ts";

export const derivedPermalinks = (locales: Locales): Completion => ({
  isSelfContained: (record) => !lacksPermalinks(record as Page, locales),
  complete: (own) => deriveAll(own, locales),
  open: (byId) => new DerivedPermalinks(locales, { ...NOTHING_DERIVED, byId }),
});

async function deriveAll(own: ReadonlyMap<Id, Entry>, locales: Locales): Promise<DerivedPermalinks> {
  const pace = openPace();
  const lacking = new Map<Id, Entry>();
  const stated = new Set<string>();
  for (const [id, entry] of own) {
    await pace();
    for (const lang of locales.codes) {
      const permalink = permalinkIn(pageIn(entry), lang);
      if (permalink !== null) stated.add(permalinkKey(lang, permalink));
    }
    if (isLacking(entry, locales)) lacking.set(id, entry);
  }
  const byId = new Map(own);
  const firsts = new Map<Id, Id>();
  const asked = new Map<Id, readonly string[]>();
  const askers = new Map<string, Id[]>();
  let hasCircle = false;
  const inPrecedence: Page[] = [];
  for (const entry of [...lacking.values()].sort(byAge)) {
    await pace();
    inPrecedence.push(entry.record as Page);
  }
  const site = {
    locales,
    find: (id: Id) => pageIn(own.get(id)),
    isStated: (lang: Lang, permalink: string) => stated.has(permalinkKey(lang, permalink)),
  };
  for (const each of deriveAllPermalinks(inPrecedence, site)) {
    await pace();
    const { id } = each.page;
    byId.set(id, completedEntry(lacking.get(id)!, each.page));
    firsts.set(id, each.first);
    hasCircle ||= each.isInCircle;
    const compared = comparedOf(each.page, each.asked, locales);
    if (compared.length === 0) continue;
    asked.set(id, compared);
    for (const key of compared) {
      const known = askers.get(key);
      if (known) known.push(id);
      else askers.set(key, [id]);
    }
  }
  return new DerivedPermalinks(locales, {
    byId: new SharedMap(byId),
    lacking: new SharedMap(lacking),
    firsts: new SharedMap(firsts),
    asked: new SharedMap(asked),
    askers: new SharedMap(askers),
    hasCircle,
  });
}

/** Immutable. */
class DerivedPermalinks implements Completed {
  readonly #locales: Locales;
  readonly #derived: Derived;

  constructor(locales: Locales, derived: Derived) {
    this.#locales = locales;
    this.#derived = derived;
  }

  get byId(): Table["byId"] {
    return this.#derived.byId;
  }

  own(id: Id): Entry | undefined {
    return this.#derived.lacking.get(id) ?? this.byId.get(id);
  }

  async follow(changes: ReadonlyMap<Id, Entry | undefined>): Promise<DerivedPermalinks | undefined> {
    if (this.#derived.hasCircle || changes.size > Math.max(STEP, this.byId.size / 4)) return undefined;
    if (
      this.#derived.lacking.size === 0 &&
      ![...changes.values()].some((each) => each && isLacking(each, this.#locales))
    )
      return this.#withStated(changes);
    const next = await new DerivedChange(this.#derived, this.#locales).run(changes);
    return next && new DerivedPermalinks(this.#locales, next);
  }

  /** Where no page leaves permalinks out, none depends on those of others. */
  async #withStated(changes: ReadonlyMap<Id, Entry | undefined>): Promise<DerivedPermalinks> {
    const byId = await changedInSteps(this.byId, [...changes], openPace());
    return new DerivedPermalinks(this.#locales, { ...this.#derived, byId });
  }
}
