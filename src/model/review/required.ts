/** The setting `REVIEW.REQUIRED`: where something goes live only after others than its authors have approved it. */
import type { ReviewRule } from "../../config/review-settings.ts";
import type { Id } from "../input/id.ts";
import type { Lang } from "../language/locale.ts";

export interface ReviewedPlace {
  readonly model: string;
  /** The page and those above it. */
  readonly path: readonly Id[];
  readonly language: Lang;
}

/**
 * How many approvals a language of a page needs: the most that a rule asks for. 0: none.
 *
 * @param section the id of the page that `BELOW` names; undefined for none: then the rule holds everywhere, since a
 *   section with a typing error must not go live unread
 */
export function approvalsRequired(
  rules: readonly ReviewRule[],
  { model, path, language }: ReviewedPlace,
  section: (below: string | Id) => Id | undefined,
): number {
  const isBelow = (below: ReviewRule["BELOW"]): boolean => {
    const id = below === null ? undefined : section(below);
    return id === undefined || path.includes(id);
  };
  const holds = ({ MODELS, BELOW, LANGUAGES }: ReviewRule): boolean =>
    (MODELS?.includes(model) ?? true) && (LANGUAGES?.includes(language) ?? true) && isBelow(BELOW);
  return Math.max(0, ...rules.filter(holds).map(({ APPROVALS }) => APPROVALS));
}
