/** The drafts that a page has in its other languages, which can go live together with this one. */
import { useEffect, useState } from "preact/hooks";
import { get, request } from "../api.ts";
import { revisionsOf, tellRevision } from "../history/taking-back.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { languages } from "../site.ts";
import { notifyFailure } from "../ui/notices.tsx";
import type { PageRecord } from "./page-record.ts";
import type { PageState } from "./page-state.ts";

/** @returns the ids of the languages */
export function useOtherDrafts(page: PageState): readonly string[] {
  const record = page.record.value;
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    const others = languages.value.filter(({ id }) => id !== page.lang);
    const asked = others.map(async ({ id }) => {
      const { has_draft: hasDraft, draft_scheduled_for: planned } = await get<PageRecord>(
        `${pathIn(page, "", id)}&fields=has_draft,draft_scheduled_for`,
      );
      return hasDraft && planned === null ? [id] : [];
    });
    Promise.all(asked).then((each) => setFound(each.flat()), notifyFailure);
  }, [record]);
  return found;
}

/**
 * Publishes this language, then the others, each as a revision; they can be taken back together.
 *
 * @param body of the publication of this language @throws ApiError
 */
export async function publishIn(page: PageState, others: readonly string[], body?: Values): Promise<void> {
  const path = `${page.collection}/${page.id}`;
  const [former] = await revisionsOf(path);
  if (!(await page.run("publish", body))) return;
  let version = page.version();
  try {
    for (const lang of others) ({ version } = await request("POST", pathIn(page, "publish/", lang), { version }));
  } finally {
    if (others.length > 0) await page.catchUp();
  }
  await tellRevision(path, text("published"), version, { former, most: 1 + others.length });
}

const pathIn = ({ collection, id }: PageState, action: string, lang: string): string =>
  `${collection}/${id}/${action}?language=${encodeURIComponent(lang)}`;
