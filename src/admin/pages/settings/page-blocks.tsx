/** The content blocks that are shown on one page: each is a record of its own. */
import { useState } from "preact/hooks";
import { get } from "../../api.ts";
import { text } from "../../i18n.ts";
import { hrefOf } from "../../router.ts";
import { may, mayAny } from "../../session.ts";
import { notifyFailure } from "../../ui/notices.tsx";
import type { PageState } from "../page-state.ts";

interface Block {
  readonly id: number;
  readonly identifier: string;
}

/** Of one page. */
const SHOWN_MAX = 100;

export function PageBlocks({ page }: { page: PageState }) {
  const [blocks, setBlocks] = useState<readonly Block[] | undefined>(undefined);
  if (!mayAny("content")) return null;
  const load = (): void => {
    const query = new URLSearchParams({ fltr: `object_id=${page.id}`, items: String(SHOWN_MAX) });
    get<{ items: readonly Block[] }>(`contents/?${query}`).then(({ items }) => setBlocks(items), notifyFailure);
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && blocks === undefined && load()}>
      <summary>{text("blocks")}</summary>
      {blocks?.length === 0 && <p class="hint">{text("nothingFound")}</p>}
      <ul class="links">
        {blocks?.map(({ id, identifier }) => (
          <li key={id}>
            <a href={hrefOf(`blocks/${id}`)}>{identifier}</a>
          </li>
        ))}
      </ul>
      {may("add_content") && (
        <p>
          <a class="button" href={hrefOf(`blocks/new?page=${page.id}`)}>
            {text("newBlock")}
          </a>
        </p>
      )}
    </details>
  );
}
