/** A dialog that finds records by their names, and chooses any number of them. */
import { useEffect, useState } from "preact/hooks";
import { text } from "../i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { SearchField } from "../ui/search-field.tsx";
import type { KnownRecord } from "./known-records.ts";
import { findRecords } from "./record-picker.tsx";

interface RecordsPickerProps {
  readonly model: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly onChoose: (records: readonly KnownRecord[]) => void;
}

export function RecordsPicker({ model, title, onClose, onChoose }: RecordsPickerProps) {
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<readonly KnownRecord[] | undefined>(undefined);
  const [chosen, setChosen] = useState<readonly KnownRecord[]>([]);
  useEffect(() => {
    const superseded = new AbortController();
    findRecords(model, search, superseded.signal).then(setFound, (error: unknown) => {
      if (!superseded.signal.aborted) notifyFailure(error);
    });
    return () => superseded.abort();
  }, [search]);
  const isChosen = ({ id }: KnownRecord): boolean => chosen.some((each) => each.id === id);
  const shown = [...chosen, ...(found ?? []).filter((record) => !isChosen(record))];
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <SearchField label={text("search")} autofocus onSearch={setSearch} />
      <ul class="found" aria-label={text("results")}>
        {shown.map((record) => (
          <li key={record.id}>
            <label class="flag">
              <input
                type="checkbox"
                checked={isChosen(record)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, record] : chosen.filter(({ id }) => id !== record.id))
                }
              />
              <span>
                {record.name} <span class="address">{record.detail}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p class="foot" role="status">
        {found?.length === 0 && text("nothingFound")}
      </p>
      <div class="actions">
        <button type="button" class="primary" disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
          {text("addChosen", { count: chosen.length })}
        </button>
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}
