/**
 * What a change of a page comes to: see `asked.ts`.
 *
 * To apply a draft is to publish what somebody was allowed to write, so values that come from the draft are no edit. A change
 * of a draft that goes live by itself, at its moment or in a scheduled release, is to publish. So is what moves a public
 * page with the one above it, and what another language shows that has no text of its own.
 */
import { CmsError } from "../../errors.ts";
import { sameJson, type Json } from "../input/json.ts";
import type { Lang, Locales } from "../language/locale.ts";
import { applyDraft } from "../page/draft.ts";
import { isOrWillBePublic, isSeenElsewhere } from "../page/lifecycle.ts";
import { readPageChange } from "../page/page-input.ts";
import { EMPTY_TEXT, fieldsOf, GLOBAL_FIELDS, TEXT_FIELDS, textOf, type Draft, type Page } from "../page/page.ts";
import { withoutIds } from "../review/going-live.ts";
import type { Asked } from "./asked.ts";

interface PageContext {
  readonly locales: Locales;
  /** Whether a scheduled release publishes the language. */
  isAwaited(page: Page, lang: Lang): boolean;
}

/** A field in a language; null: in all. */
type Place = readonly [lang: Lang | null, field: string];

/** @param before undefined for a new page; `after` for a removed one */
export function pageActions(before: Page | undefined, after: Page | undefined, context: PageContext): readonly Asked[] {
  if (!after) return before ? [{ action: "delete", isPublic: isPublicAnywhere(before) }] : [];
  if (!before) return creation(after, context);
  const langs = languagesOf(before, after);
  const drafts = langs.flatMap((lang) => draftedChange(before, after, lang, context));
  const live = livePlaces(before, after, langs);
  const applied = langs.flatMap((lang) => (after.drafts[lang] ? [] : (drafted(before, lang, context) ?? [])));
  const isApplied = (place: Place): boolean =>
    applied.some(({ page, places }) => includes(places, place) && isFrom(page, after, place));
  const edits = unique([...live.filter((place) => !isApplied(place)), ...drafts.flatMap(({ edited }) => edited)]);
  const isShown = (lang: Lang): boolean =>
    isOrWillBePublic(before, lang) || isOrWillBePublic(after, lang) || context.isAwaited(before, lang);
  const shown = [...live, ...drafts.flatMap(({ goesLive }) => goesLive)].flatMap(([lang]) =>
    (lang === null ? langs : [lang]).filter(isShown),
  );
  const published = new Set([
    ...langs.filter((lang) => textOf(before, lang).published_at !== textOf(after, lang).published_at),
    ...langs.filter((lang) => before.deleted_at && !after.deleted_at && textOf(after, lang).published_at),
    ...drafts.flatMap(({ published: lang }) => lang ?? []),
    ...shown,
    ...langs.filter((lang) => isShown(lang) && textOf(before, lang).permalink !== textOf(after, lang).permalink),
    ...(isSeenElsewhere(before, after, context.locales) ? [context.locales.default] : []),
  ]);
  const was = (language?: Lang): Pick<Asked, "language" | "isPublic"> => ({
    ...(language !== undefined && { language }),
    isPublic: language === undefined ? isPublicAnywhere(before) : isOrWillBePublic(before, language),
  });
  return [
    ...(before.deleted_at === after.deleted_at ? [] : [{ action: "trash", ...was() } as const]),
    ...edits.map(([lang, field]): Asked => ({ action: "edit", field, ...was(lang ?? undefined) })),
    ...[...published].map((lang): Asked => ({ action: "publish", ...was(lang) })),
  ];
}

function creation(page: Page, { locales }: PageContext): readonly Asked[] {
  const written = Object.keys(page.translations).filter((lang) => !sameJson(textOf(page, lang), EMPTY_TEXT));
  const langs = [...new Set([...written, ...Object.keys(page.drafts)])];
  const published = langs.filter((lang) => textOf(page, lang).published_at || page.drafts[lang]?.scheduled_for);
  const created = langs.length > 0 ? langs.map((language): Asked => ({ action: "create", language })) : [];
  return [
    ...(created.length > 0 ? created : [{ action: "create", language: locales.default } as const]),
    ...published.map((language): Asked => ({ action: "publish", language })),
  ];
}

interface DraftedChange {
  readonly edited: readonly Place[];
  /** Places that are written and go live by themselves. */
  readonly goesLive: readonly Place[];
  /** The language, if it is published, or is no more, at another moment. */
  readonly published: Lang | undefined;
}

function draftedChange(before: Page, after: Page, lang: Lang, context: PageContext): readonly DraftedChange[] {
  const [old, next] = [before.drafts[lang], after.drafts[lang]];
  if (old === next || (old && next && sameJson(old, next))) return [];
  const [was, is] = [drafted(before, lang, context), drafted(after, lang, context)];
  const places = unique([...(was?.places ?? []), ...(is?.places ?? [])]);
  const isPayloadSame = old && next && sameJson(old.payload, next.payload);
  // Nobody knows what a draft changes that cannot be read.
  const isUnread = (old && !was) || (next && !is);
  const edited = isPayloadSame
    ? []
    : isUnread
      ? [[lang, "*"] as const]
      : places.filter((place) => !isSame(was?.page ?? before, is?.page ?? after, place));
  const isTimed = (draft: Draft | undefined): boolean => Boolean(draft?.scheduled_for);
  const goesAlone = next && (isTimed(next) || context.isAwaited(after, lang));
  const isOtherMoment = (old?.scheduled_for ?? null) !== (next?.scheduled_for ?? null);
  const written = isOtherMoment ? (is?.places ?? []) : edited;
  return [
    {
      edited,
      goesLive: goesAlone ? written : [],
      published: isOtherMoment || (goesAlone && edited.length > 0) ? lang : undefined,
    },
  ];
}

/** The page with its draft applied, and the places that the draft has values for; undefined without one that can be read. */
function drafted(
  page: Page,
  lang: Lang,
  { locales }: PageContext,
): { readonly page: Page; readonly places: readonly Place[] } | undefined {
  const draft = page.drafts[lang];
  if (!draft) return undefined;
  try {
    const change = readPageChange(draft.payload, locales, lang, page.model);
    const places: Place[] = [
      ...Object.keys(change.globals).map((field) => [null, field] as const),
      ...(change.author === undefined ? [] : [[null, "author"] as const]),
      ...Object.entries(change.texts).flatMap(([code, text]) =>
        Object.keys(text).map((field) => [code, field] as const),
      ),
    ];
    return { page: applyDraft(page, draft, change), places };
  } catch (error) {
    if (error instanceof CmsError) return undefined;
    throw error;
  }
}

/** The live values that differ. What the service computes is none: an automatic permalink, and whose alias it becomes. */
function livePlaces(before: Page, after: Page, langs: readonly Lang[]): readonly Place[] {
  const isComputed = ([lang, field]: Place): boolean =>
    field === "published_at" ||
    (field === "permalink" && lang !== null && textOf(before, lang).autopermalink && textOf(after, lang).autopermalink);
  const globals = fieldsOf(GLOBAL_FIELDS, after.model).map(({ name }): Place => [null, name]);
  const texts = langs.flatMap((lang) => fieldsOf(TEXT_FIELDS, after.model).map(({ name }): Place => [lang, name]));
  const moved = langs.some((lang) => textOf(before, lang).permalink !== textOf(after, lang).permalink);
  const own: Place[] = [
    ...(before.model === after.model ? [] : [[null, "model"] as const]),
    ...(moved || sameJson(before.aliases, after.aliases) ? [] : [[null, "aliases"] as const]),
  ];
  return [...own, ...[...globals, ...texts].filter((place) => !isComputed(place) && !isSame(before, after, place))];
}

const isSame = (a: Page, b: Page, [lang, field]: Place): boolean =>
  sameJson(valueIn(a, lang, field), valueIn(b, lang, field));

/** Whether a page has the value of a draft that is gone: publishing adds ids of new blocks, and makes a permalink. */
const isFrom = (applied: Page, page: Page, [lang, field]: Place): boolean =>
  field === "permalink" || sameJson(withoutIds(valueIn(applied, lang, field)), withoutIds(valueIn(page, lang, field)));

function valueIn(page: Page, lang: Lang | null, field: string): Json {
  const values = (lang === null ? page : textOf(page, lang)) as unknown as Readonly<Record<string, Json | undefined>>;
  return values[field] ?? null;
}

const languagesOf = (...pages: readonly Page[]): readonly Lang[] => [
  ...new Set(pages.flatMap(({ translations, drafts }) => [...Object.keys(translations), ...Object.keys(drafts)])),
];

const isPublicAnywhere = (page: Page): boolean => languagesOf(page).some((lang) => isOrWillBePublic(page, lang));

const includes = (places: readonly Place[], [lang, field]: Place): boolean =>
  places.some((place) => place[0] === lang && place[1] === field);

const unique = (places: readonly Place[]): readonly Place[] =>
  places.filter((place, at) => places.findIndex((other) => other[0] === place[0] && other[1] === place[1]) === at);
