/** A dialog that chooses a file of the library, or uploads a new one. */
import { useRef, useState } from "preact/hooks";
import { text } from "../i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { usePages } from "../ui/loaded.ts";
import { SearchField } from "../ui/search-field.tsx";
import { MediaGrid } from "./media-grid.tsx";
import { fileName, findMedia, type MediaItem } from "./media-item.ts";
import { MediaTexts, type SaveTexts } from "./media-texts.tsx";
import { Uploads } from "./uploads.tsx";

interface MediaPickerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onChoose: (item: MediaItem) => void;
}

export function MediaPicker({ title, onClose, onChoose }: MediaPickerProps) {
  const [search, setSearch] = useState("");
  const { items, setItems, found, more } = usePages((page, signal) => findMedia(search, page, signal), [search]);
  const [selected, setSelected] = useState<MediaItem | undefined>(undefined);
  const unsaved = useRef<SaveTexts | undefined>(undefined);
  /** What was typed about the file is saved with the choice. */
  const choose = async (): Promise<void> => {
    const item = unsaved.current ? await unsaved.current() : selected;
    if (item) onChoose(item);
  };
  const replace = (item: MediaItem): void => {
    setSelected(item);
    setItems((all) => [item, ...all.filter(({ id }) => id !== item.id)]);
  };
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <SearchField label={text("searchMedia")} autofocus onSearch={setSearch} />
      <Uploads folder={null} onUploaded={replace}>
        <MediaGrid items={items} canSelect selected={selected?.id} onSelect={setSelected} />
      </Uploads>
      <p class="foot" role="status">
        {found && text("fileCount", { count: found.count })}{" "}
      </p>
      {found?.has_next && (
        <button type="button" onClick={more}>
          {text("showMore")}
        </button>
      )}
      {selected && (
        <section class="selected" aria-label={fileName(selected)}>
          <h3>{selected.title || fileName(selected)}</h3>
          {selected.is_image && (
            <MediaTexts
              key={selected.id}
              item={selected}
              fields={["alt_text"]}
              unsaved={unsaved}
              onSaved={(item) => {
                setSelected(item);
                setItems((all) => all.map((each) => (each.id === item.id ? item : each)));
              }}
            />
          )}
        </section>
      )}
      <div class="actions bottom">
        <button type="button" class="primary" disabled={!selected} onClick={() => void choose()}>
          {text("useFile")}
        </button>
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}
