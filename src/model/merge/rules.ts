/** Fields that are merged otherwise than by the general rules, by where they are in a record. */
import { parseInstant } from "../time/instant.ts";
import { isList, isObject, objectOf, own, sameJson, type Json, type JsonObject } from "../input/json.ts";

export interface MergeRules {
  /** Moments of which the later is kept. */
  readonly latest?: readonly string[];
  /** Moments of which the earlier is kept: both sides may have made one record, such as the draft of a page. */
  readonly earliest?: readonly string[];
  /** Moments of an event, such as the removal: when both sides have had it, the remote's moment stands. */
  readonly events?: readonly string[];
  /** Values computed from a file, which fit only each other: when both sides have computed them, the remote's stand. */
  readonly computed?: readonly string[];
  /** See `withoutPermalinkClashes`. */
  readonly permalinks?: boolean;
  /** See `release-items.ts`. */
  readonly releaseItems?: boolean;
}

const LATEST = ["date_updated_at", "updated_at", "last_modified"];

const EARLIEST = ["created_at", "date_created", "created"];
const STAMPS: MergeRules = { latest: LATEST, earliest: EARLIEST };

export const DEFAULT_RULES: MergeRules = STAMPS;
export const PAGE_RULES: MergeRules = { ...STAMPS, events: ["deleted_at"], permalinks: true };
export const MEDIA_RULES: MergeRules = {
  ...STAMPS,
  events: ["deleted_at"],
  computed: ["source", "thumbnail", "renditions"],
};
export const RELEASE_RULES: MergeRules = { ...STAMPS, events: ["published_at"], releaseItems: true };
/** The items of a review are known as those of a release are. */
export const REVIEW_RULES: MergeRules = { releaseItems: true };
export const THREAD_RULES: MergeRules = { events: ["resolved_at"] };

interface Sides {
  readonly base: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

interface Records {
  readonly base: JsonObject;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
}

/** The sides with equal values where a rule decides between them. */
export function withRules({ base, ours, theirs }: Sides, rules: MergeRules): Pick<Sides, "ours" | "theirs"> {
  if (!isObject(ours) || !isObject(theirs)) return { ours, theirs };
  let records: Records = { base: isObject(base) ? base : {}, ours, theirs };
  for (const key of rules.latest ?? []) records = withOneMoment(records, key, true);
  for (const key of rules.earliest ?? []) records = withOneMoment(records, key, false);
  for (const key of rules.events ?? []) {
    const [a, b] = [own(records.ours, key), own(records.theirs, key)];
    if (isChangedByBoth(records, [key]) && a != null && b != null) records = withOurs(records, { [key]: b });
  }
  if (isChangedByBoth(records, rules.computed ?? []))
    records = withOurs(records, objectOf((rules.computed ?? []).map((key) => [key, own(records.theirs, key)])));
  return rules.permalinks ? withoutPermalinkClashes(records) : records;
}

/** Whether each side changed one of the values, and the results differ. */
function isChangedByBoth({ base, ours, theirs }: Records, keys: readonly string[]): boolean {
  const differs = (a: JsonObject, b: JsonObject): boolean => keys.some((key) => !sameJson(own(a, key), own(b, key)));
  return differs(ours, theirs) && differs(base, ours) && differs(base, theirs);
}

/** @param values undefined removes a key */
function withOurs(records: Records, values: { readonly [key: string]: Json | undefined }): Records {
  const entries = Object.entries({ ...records.ours, ...values });
  return {
    ...records,
    ours: objectOf(entries.flatMap(([key, value]): [string, Json][] => (value === undefined ? [] : [[key, value]]))),
  };
}

function withOneMoment(records: Records, key: string, isLater: boolean): Records {
  if (!isChangedByBoth(records, [key])) return records;
  const [a, b] = [own(records.ours, key), own(records.theirs, key)];
  const [at, bt] = [parseInstant(a), parseInstant(b)];
  if (a === undefined || b === undefined || at === undefined || bt === undefined) return records;
  const kept = at > bt === isLater ? a : b;
  return withOurs({ ...records, theirs: { ...records.theirs, [key]: kept } }, { [key]: kept });
}

/**
 * If both changed the permalink, the remote's stands, and ours becomes an alias, since the page was served there. An automatic
 * one is no conflict either: it follows from the title.
 */
function withoutPermalinkClashes(records: Records): Records {
  const [base, ours, theirs] = [records.base, records.ours, records.theirs].map(textsOf) as [Texts, Texts, Texts];
  const texts = new Map<string, Json>();
  const former: JsonObject[] = [];
  for (const [lang, text] of Object.entries(ours)) {
    const sides = { base: own(base, lang) ?? {}, ours: text, theirs: own(theirs, lang) ?? {} };
    const [from, to] = [own(text, "permalink"), own(sides.theirs, "permalink")];
    if (typeof from !== "string" || typeof to !== "string" || !isChangedByBoth(sides, ["permalink"])) continue;
    former.push({ language: lang, from });
    if (own(text, "autopermalink") !== false) texts.set(lang, { ...text, permalink: to });
  }
  if (former.length === 0) return records;
  const aliases = own(records.ours, "aliases");
  return withOurs(records, {
    translations: objectOf([...Object.entries(records.ours.translations as JsonObject), ...texts]),
    aliases: [...(isList(aliases) ? aliases : []), ...former],
  });
}

type Texts = { readonly [lang: string]: JsonObject };

/** The languages of a record that are mappings. */
function textsOf(record: JsonObject): Texts {
  const translations = own(record, "translations");
  return objectOf(
    Object.entries(isObject(translations) ? translations : {}).flatMap(([lang, text]): [string, JsonObject][] =>
      isObject(text) ? [[lang, text]] : [],
    ),
  );
}
