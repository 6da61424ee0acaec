/** A dialog that chooses a file of the library, or uploads a new one: a click takes it. */
import { useState } from "preact/hooks";
import { text } from "../i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { usePages } from "../ui/loaded.ts";
import { SearchField } from "../ui/search-field.tsx";
import { MediaGrid } from "./media-grid.tsx";
import { findMedia, type MediaItem } from "./media-item.ts";
import { Uploads } from "./uploads.tsx";

interface MediaPickerProps {
  readonly title: string;
  /** Whether other files than pictures are left out. */
  readonly isPicture?: boolean;
  readonly onClose: () => void;
  readonly onChoose: (item: MediaItem) => void;
}

export function MediaPicker({ title, isPicture = false, onClose, onChoose }: MediaPickerProps) {
  const [search, setSearch] = useState("");
  const { items, setItems, found, more } = usePages(
    (page, signal) => findMedia(search, page, signal, { isPicture }),
    [search],
  );
  // Of several, none was meant more than the others.
  const add = (item: MediaItem, isAlone: boolean): void => {
    if (isAlone) onChoose(item);
    else setItems((all) => [item, ...all.filter(({ id }) => id !== item.id)]);
  };
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <SearchField label={text("searchMedia")} autofocus onSearch={setSearch} />
      <Uploads folder={null} onUploaded={add}>
        <MediaGrid items={items} onSelect={onChoose} />
      </Uploads>
      <p class="foot" role="status">
        {found && text("fileCount", { count: found.count })}{" "}
      </p>
      {found?.has_next && (
        <button type="button" onClick={more}>
          {text("showMore")}
        </button>
      )}
      <div class="actions bottom">
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}
