import type { ComponentChildren } from "preact";
import { showDay, text } from "../i18n.ts";
import { languages } from "../site.ts";
import { DRAGGED_FILE } from "./media-grid.tsx";
import { Table } from "../ui/lists/table.tsx";
import { fileName, showSize, type MediaItem } from "./media-item.ts";
import { smallPicture } from "./small-picture.ts";

interface MediaTableProps {
  readonly items: readonly MediaItem[];
  /** A control that selects a file for what is done with several. */
  readonly checkOf?: ((item: MediaItem) => ComponentChildren) | undefined;
  /** Onto folders. */
  readonly isDraggable: boolean;
  readonly onOpen: (item: MediaItem) => void;
}

/** Files as rows, with what is missing. */
export const MediaTable = ({ items, checkOf, isDraggable, onOpen }: MediaTableProps) => (
  <Table
    class="media"
    columns={[
      {
        name: text("file"),
        show: (item) => (
          <div class="choice">
            {checkOf?.(item)}
            {smallPicture(item) && <img src={smallPicture(item)} alt="" loading="lazy" />}
            <span class="chosen">
              <button class="plain" onClick={() => onOpen(item)}>
                {item.title || fileName(item)}
              </button>
              <span class="address">{fileName(item)}</span>
            </span>
          </div>
        ),
      },
      { name: text("altText"), show: (item) => item.is_image && <AltTextState item={item} /> },
      { name: text("size"), show: ({ size }) => showSize(size) },
      { name: text("uploadedOn"), show: ({ created }) => <time dateTime={created}>{showDay(created)}</time> },
    ]}
    rows={items}
    keyOf={({ id }) => String(id)}
    attributesOf={({ id }) => ({
      draggable: isDraggable,
      onDragStart: ({ dataTransfer }) => dataTransfer?.setData(DRAGGED_FILE, String(id)),
    })}
  />
);

function AltTextState({ item }: { item: MediaItem }) {
  const missing = languages.value.filter(({ id }) => !item.translations[id]?.alt_text).map(({ name }) => name);
  if (missing.length === 0) return <>{text("complete")}</>;
  return <span class="missing">{text("missingIn", { languages: missing.join(", ") })}</span>;
}
