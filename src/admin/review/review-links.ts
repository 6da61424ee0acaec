/** What waits for the account on its home screen: reviews that ask it, its own proposals, comments that mention it. */
import { get } from "../api.ts";
import type { PageLink } from "../home/page-links.tsx";
import { text } from "../i18n.ts";
import type { Review } from "./page-review.ts";
import { REVIEW_STATES } from "./review-panel.tsx";
import type { Thread } from "./threads.ts";

interface Found {
  readonly count: number;
  readonly pages: readonly PageLink[];
}

const screenOf = (model: string | null, page: number, query: string): string =>
  `${model === "article" ? "articles" : "pages"}/${page}?${query}`;

/** @param which `asked` or `own` */
export async function findReviews(which: "asked" | "own"): Promise<Found> {
  const reviews = await get<readonly Review[]>(`reviews/?open&${which}`);
  const pages = reviews.flatMap(({ title, items: [first], release, state, at: moment }): PageLink[] => {
    if (!first) return [];
    const path = release === null ? screenOf(first.model, first.page, `lang=${first.language}`) : `releases/${release}`;
    return [{ id: first.page, title, lang: "", moment, screen: { path, kind: text(REVIEW_STATES[state]) } }];
  });
  return { count: pages.length, pages };
}

export async function findMentions(): Promise<Found> {
  const threads = await get<readonly Thread[]>("threads/?mentioned");
  const pages = threads.map(({ page, title, model, language, field, comments }): PageLink => {
    const last = comments.at(-1);
    const query = new URLSearchParams({ lang: language, ...(field !== "" && { field }) });
    const screen = { path: screenOf(model, page, String(query)), kind: last?.name ?? "" };
    return { id: page, title, lang: language, moment: last?.at ?? null, screen };
  });
  return { count: pages.length, pages };
}
