/** A dialog that finds a record by its name. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { contentLanguage } from "../site.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { pathsOf, remember, type KnownRecord } from "./known-records.ts";

interface RecordPickerProps {
  readonly model: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly onChoose: (id: number) => void;
}

const SHOWN = 20;

/** @returns at most `SHOWN` of each path */
export async function findRecords(model: string, search: string, signal: AbortSignal): Promise<readonly KnownRecord[]> {
  const query = new URLSearchParams({ search, items: String(SHOWN), language: contentLanguage.value });
  const found = await Promise.all(
    pathsOf(model).map((path) => get<{ items: readonly Values[] } | readonly Values[]>(`${path}/?${query}`, signal)),
  );
  return found.flatMap((list) => ("items" in list ? list.items : list)).map((record) => remember(model, record));
}

export function RecordPicker({ model, title, onClose, onChoose }: RecordPickerProps) {
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<readonly KnownRecord[] | undefined>(undefined);
  useEffect(() => {
    const superseded = new AbortController();
    findRecords(model, search, superseded.signal).then(setFound, (error: unknown) => {
      if (!superseded.signal.aborted) notifyFailure(error);
    });
    return () => superseded.abort();
  }, [search]);
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <SearchField label={text("search")} autofocus onSearch={setSearch} />
      <ul class="found" aria-label={text("results")}>
        {found?.map(({ id, name, detail }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(id)}>
              <strong>{name}</strong> <span class="address">{detail}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="foot" role="status">
        {found?.length === 0 && text("nothingFound")}
      </p>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}
