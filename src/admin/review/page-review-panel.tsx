/** The review of a page in one language, with what its draft changes. */
import { useState } from "preact/hooks";
import { get, inWords, onHost } from "../api.ts";
import { pathWordsIn, wordsIn } from "../fields/value-words.ts";
import { Differences, type DifferencesProps } from "../history/differences.tsx";
import { fieldDifferences, ownValues } from "../history/field-differences.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { PAGE_FIELDS } from "../pages/page-fields.ts";
import { definitionsOfPage } from "../pages/page-models.ts";
import type { PageState } from "../pages/page-state.ts";
import { attempt } from "../ui/notices.tsx";
import { canPublish, type PageReview } from "./page-review.ts";
import { ReviewPanel } from "./review-panel.tsx";

interface PageReviewPanelProps {
  readonly page: PageState;
  readonly found: PageReview | undefined;
  readonly onChanged: () => Promise<void>;
}

export function PageReviewPanel({ page, found, onChanged }: PageReviewPanelProps) {
  if (!found) return null;
  const { review, required, approved_by: approved, reason } = found;
  const { has_draft: hasDraft, status, draft_data: draft, routerlink } = page.record.value;
  const isChanged = page.isChanged.value;
  // Where nothing waits to go live, nothing is in its way.
  const isWaiting = isChanged || hasDraft || status === "DRF";
  const isHeld = isWaiting && !canPublish(found, isChanged);
  return (
    <>
      {isHeld && (
        <p class="hint" role="status">
          {reason ? inWords(reason) : text("needsApprovals", { required, count: isChanged ? 0 : approved.length })}
        </p>
      )}
      {review && (
        <ReviewPanel
          review={review}
          mayPublish={found.may_publish}
          draft={
            isChanged ? { page: page.id, language: page.lang, values: { ...draft, ...page.body.value } } : undefined
          }
          onChanged={async () => {
            // What was typed is in the draft that was approved.
            if (isChanged) await page.reload();
            await onChanged();
          }}
        >
          <DraftDifferences key={review.hash} page={page} />
          {status === "PUB" && routerlink && (
            <details>
              <summary>{text("asItIsPublic")}</summary>
              <iframe class="then" loading="lazy" title={text("asItIsPublic")} src={onHost(routerlink)} />
            </details>
          )}
        </ReviewPanel>
      )}
    </>
  );
}

/** What the draft, as it is saved, changes of the page as it is public. */
function DraftDifferences({ page }: { page: PageState }) {
  const [found, setFound] = useState<Pick<DifferencesProps, "list" | "labelOf"> | undefined>(undefined);
  const path = `${page.collection}/${page.id}`;
  const read = (): Promise<void> =>
    attempt(async () => {
      const query = `?language=${encodeURIComponent(page.lang)}`;
      const payloads = await Promise.all(["", "preview/"].map((at) => get<Values>(`${path}/${at}${query}`)));
      const [before, after] = payloads.map((payload) => ownValues(payload, page.lang)) as [Values, Values];
      const definitions = definitionsOfPage(page.model);
      const list = fieldDifferences(before, after, Object.keys(PAGE_FIELDS), wordsIn(definitions, before, after));
      setFound({ list, labelOf: pathWordsIn(definitions, after, before) });
    });
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && void read()}>
      <summary>{text("whatChanges")}</summary>
      {found && <Differences {...found} />}
    </details>
  );
}
