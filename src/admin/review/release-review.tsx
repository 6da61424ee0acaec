/** The review of a release as a whole. */
import { get, request } from "../api.ts";
import { text } from "../i18n.ts";
import { mayRelease } from "../session.ts";
import { useReloaded } from "../ui/loaded.ts";
import type { Review } from "./page-review.ts";
import { ReviewPanel } from "./review-panel.tsx";

export function ReleaseReview({ name }: { name: string }) {
  const [reviews, change] = useReloaded(() => get<readonly Review[]>("reviews/?open"));
  if (!reviews) return null;
  const review = reviews.find(({ release }) => release === name);
  const propose = (): Promise<unknown> => request("POST", "reviews/", { body: { release: name } });
  if (!review)
    return (
      <button type="button" onClick={() => void change(propose)}>
        {text("proposeRelease")}
      </button>
    );
  return <ReviewPanel review={review} mayPublish={mayRelease()} onChanged={() => change(async () => undefined)} />;
}
