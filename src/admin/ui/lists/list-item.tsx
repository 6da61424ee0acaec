/** One item of a list, with what moves and removes it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../i18n.ts";
import { memo } from "../memo.ts";
import { VerbButton } from "../verb-button.tsx";

export type ItemDrawing<T> = (item: T, at: number, change: (item: T) => void) => ComponentChildren;

/** What is done with the items of a list, as it was drawn last. */
export interface ListVerbs<T> {
  change(at: number, next: T): void;
  move(from: number, to: number): void;
  remove(at: number): void;
  insert(at: number, item: T): void;
  readonly dragged: number | undefined;
  drag(at: number | undefined): void;
}

interface ItemProps<T> {
  readonly name: string;
  readonly item: T;
  readonly at: number;
  readonly verbs: { readonly current: ListVerbs<T> };
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isDragged: boolean;
  readonly children: ItemDrawing<T>;
}

export const Item = memo(function Item<T>({ name, item, at, verbs, isDragged, children, ...place }: ItemProps<T>) {
  const { isFirst, isLast } = place;
  const values = { number: at + 1, name };
  /** The edge of this item at which one that is dragged here would come. */
  const [edge, setEdge] = useState<"" | "drop-before" | "drop-after">("");
  /** By the half that the pointer is over; around the middle, where the dragged item comes from. */
  const edgeAt = ({ clientY, currentTarget }: DragEvent, dragged: number): typeof edge => {
    const { top, height } = (currentTarget as HTMLElement).getBoundingClientRect();
    return (clientY - top) / height > (dragged < at ? 0.4 : 0.6) ? "drop-after" : "drop-before";
  };
  return (
    <li
      onKeyDown={(event) => {
        // In a text, the keys belong to that.
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (by === undefined || !event.altKey || !(event.target instanceof HTMLButtonElement)) return;
        event.preventDefault();
        event.stopPropagation();
        verbs.current.move(at, at + by);
      }}
      class={isDragged ? "dragged" : edge}
      onDragOver={(event) => {
        const { dragged } = verbs.current;
        if (dragged === undefined) return;
        event.preventDefault();
        setEdge(edgeAt(event, dragged));
      }}
      onDragLeave={() => setEdge("")}
      onDrop={(event) => {
        setEdge("");
        const { dragged, move } = verbs.current;
        if (dragged === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const place = edgeAt(event, dragged) === "drop-after" ? at + 1 : at;
        move(dragged, dragged < place ? place - 1 : place);
      }}
    >
      <div class="item">{children(item, at, (next) => verbs.current.change(at, next))}</div>
      <div class="item-actions">
        {!(isFirst && isLast) && (
          <span
            class="grip"
            draggable
            aria-hidden="true"
            onDragStart={(event) => {
              event.dataTransfer?.setData("text/plain", "");
              verbs.current.drag(at);
            }}
            onDragEnd={() => verbs.current.drag(undefined)}
          >
            ⠿
          </span>
        )}
        <VerbButton
          class="quiet"
          label={text("moveUp", values)}
          isOff={isFirst}
          onPress={() => verbs.current.move(at, at - 1)}
        >
          ↑
        </VerbButton>
        <VerbButton
          class="quiet"
          label={text("moveDown", values)}
          isOff={isLast}
          onPress={() => verbs.current.move(at, at + 1)}
        >
          ↓
        </VerbButton>
        <VerbButton class="quiet" label={text("removeItem", values)} onPress={() => verbs.current.remove(at)}>
          ×
        </VerbButton>
      </div>
    </li>
  );
});
