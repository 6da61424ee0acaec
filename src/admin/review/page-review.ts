/** What stands between the draft of a page and its publication: approvals, rights, and the review that is open. */
import { useEffect, useState } from "preact/hooks";
import type { ReleaseItem } from "../../model/page/release.ts";
import type { Review as StoredReview, ReviewDecision } from "../../model/review/review.ts";
import { get, request } from "../api.ts";
import type { PageState } from "../pages/page-state.ts";
import { isStaff } from "../session.ts";
import { notifyFailure } from "../ui/notices.tsx";

export type ReviewItem = ReleaseItem & {
  /** The title of its page. */
  readonly title: string | null;
  readonly model: string | null;
  readonly required: number;
  readonly approved_by: readonly string[];
};

export type Decision = Pick<ReviewDecision, "id" | "name" | "at" | "verdict" | "comment"> & {
  /** User name. */
  readonly by: string;
  /** Whether it is about the drafts as they are now. */
  readonly holds: boolean;
};

export type Review = Pick<StoredReview, "name" | "title" | "by" | "proposer" | "at" | "release"> & {
  readonly state: "open" | "changes" | "approved" | "done";
  readonly hash: string;
  readonly items: readonly ReviewItem[];
  readonly decisions: readonly Decision[];
};

export interface PageReview {
  readonly required: number;
  readonly approved_by: readonly string[];
  readonly may_publish: boolean;
  readonly may_propose: boolean;
  /** Why the account may not publish. */
  readonly reason: string | null;
  readonly may_not_edit: string | null;
  readonly may_not_trash: string | null;
  /** The fields that the account may change; null: all. */
  readonly fields: readonly string[] | null;
  readonly review: Review | null;
}

/** @returns undefined until it is known; asked again after each change of the page */
export function usePageReview(page: PageState): readonly [PageReview | undefined, () => Promise<void>] {
  const [found, setFound] = useState<PageReview | undefined>(undefined);
  const load = (): Promise<void> =>
    get<PageReview>(`reviews/of/${page.id}/?language=${page.lang}`).then(setFound, notifyFailure);
  useEffect(() => {
    if (isStaff()) void load();
  }, [page, page.record.value]);
  return [found, load];
}

/** Whether what is shown may go live: an approval is for the draft without what was typed since. */
export const canPublish = (found: PageReview | undefined, isChanged: boolean): boolean =>
  !found || (found.may_publish && (isChanged ? 0 : found.approved_by.length) >= found.required);

/** @param asked user names @throws ApiError @returns false where something typed could not be saved yet */
export async function proposePage(page: PageState, asked: readonly string[]): Promise<boolean> {
  if (page.isChanged.value && !(await page.save())) return false;
  await request("POST", "reviews/", { body: { items: [{ page: page.id, language: page.lang }], asked } });
  return true;
}
