import type { ComponentChildren } from "preact";
import { text } from "../i18n.ts";
import { fileName, type MediaItem } from "./media-item.ts";
import { smallPicture } from "./small-picture.ts";

/** The type of the dragged data: the id of a file of the library. */
export const DRAGGED_FILE = "application/x-git-cms-media";

interface MediaGridProps {
  readonly items: readonly MediaItem[];
  /** A control that selects a file for what is done with several. */
  readonly checkOf?: ((item: MediaItem) => ComponentChildren) | undefined;
  /** Onto folders. */
  readonly isDraggable?: boolean;
  readonly onSelect: (item: MediaItem) => void;
}

/** Files as small pictures; a click takes one. */
export const MediaGrid = ({ items, checkOf, isDraggable, onSelect }: MediaGridProps) => (
  <ul class="grid" aria-label={text("media")}>
    {items.map((item) => (
      <li
        key={item.id}
        draggable={isDraggable}
        onDragStart={({ dataTransfer }) => dataTransfer?.setData(DRAGGED_FILE, String(item.id))}
      >
        {checkOf?.(item)}
        <button type="button" onClick={() => onSelect(item)}>
          <span class="picture">
            {smallPicture(item) ? (
              <img src={smallPicture(item)} alt="" loading="lazy" draggable={false} />
            ) : (
              <span class="kind">{fileName(item).split(".").at(-1)}</span>
            )}
          </span>
          <span class="caption">{item.title || fileName(item)}</span>
        </button>
      </li>
    ))}
  </ul>
);
