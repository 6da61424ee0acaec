import { showDay, text } from "../i18n.ts";
import { languages } from "../site.ts";
import { DRAGGED_FILE } from "./media-grid.tsx";
import { fileName, showSize, type MediaItem } from "./media-item.ts";
import { smallPicture } from "./small-picture.ts";

interface MediaTableProps {
  readonly items: readonly MediaItem[];
  /** Onto folders. */
  readonly isDraggable: boolean;
  readonly onOpen: (item: MediaItem) => void;
}

/** Files as rows, with what is missing. */
export const MediaTable = ({ items, isDraggable, onOpen }: MediaTableProps) => (
  <table class="list media">
    <thead>
      <tr>
        <th scope="col">{text("file")}</th>
        <th scope="col">{text("altText")}</th>
        <th scope="col">{text("size")}</th>
        <th scope="col">{text("uploadedOn")}</th>
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <tr
          key={item.id}
          draggable={isDraggable}
          onDragStart={({ dataTransfer }) => dataTransfer?.setData(DRAGGED_FILE, String(item.id))}
        >
          <td>
            <div class="choice">
              {smallPicture(item) && <img src={smallPicture(item)!} alt="" loading="lazy" />}
              <span class="chosen">
                <button class="plain" onClick={() => onOpen(item)}>
                  {item.title || fileName(item)}
                </button>
                <span class="address">{fileName(item)}</span>
              </span>
            </div>
          </td>
          <td>{item.is_image && <AltTextState item={item} />}</td>
          <td>{showSize(item.size)}</td>
          <td>
            <time dateTime={item.created}>{showDay(item.created)}</time>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function AltTextState({ item }: { item: MediaItem }) {
  const missing = languages.value.filter(({ id }) => !item.translations[id]?.alt_text).map(({ name }) => name);
  if (missing.length === 0) return <>{text("complete")}</>;
  return <span class="missing">{text("missingIn", { languages: missing.join(", ") })}</span>;
}
