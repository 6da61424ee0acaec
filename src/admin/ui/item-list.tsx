/** A list whose items are added, removed and put in order, by buttons or by dragging. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { text } from "../i18n.ts";

interface ItemListProps<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly onChange: (items: readonly T[]) => void;
  /** A new item; absent: items are added elsewhere. */
  readonly empty?: () => T;
  readonly children: (item: T, at: number, change: (item: T) => void) => ComponentChildren;
}

export function ItemList<T>({ name, items, onChange, empty, children }: ItemListProps<T>) {
  const id = useId();
  const { keys, arrange } = useKeys(items.length);
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (moved.current === undefined) return;
    list.current?.children[moved.current]?.querySelector<HTMLElement>(":scope > .item-actions button")?.focus();
    moved.current = undefined;
  });
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= items.length || from === to) return;
    arrange((all) => moveItem(all, from, to));
    onChange(moveItem(items, from, to));
    moved.current = to;
  };
  const remove = (at: number): void => {
    arrange((all) => all.filter((_, index) => index !== at));
    onChange(items.filter((_, index) => index !== at));
  };
  return (
    <fieldset aria-labelledby={id}>
      <legend id={id}>{name}</legend>
      <ol class="items" ref={list}>
        {items.map((item, at) => (
          <li
            key={keys[at]}
            class={dragged === at ? "dragged" : ""}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              event.stopPropagation();
              move(dragged, at);
            }}
          >
            <div class="item">
              {children(item, at, (next) => onChange(items.map((each, index) => (index === at ? next : each))))}
            </div>
            <div class="item-actions">
              {items.length > 1 && (
                <span
                  class="grip"
                  draggable
                  aria-hidden="true"
                  onDragStart={(event) => {
                    event.dataTransfer?.setData("text/plain", "");
                    setDragged(at);
                  }}
                  onDragEnd={() => setDragged(undefined)}
                >
                  ⠿
                </span>
              )}
              <ItemButton
                sign="↑"
                label={text("moveUp", { number: at + 1, name })}
                isOff={at === 0}
                onPress={() => move(at, at - 1)}
              />
              <ItemButton
                sign="↓"
                label={text("moveDown", { number: at + 1, name })}
                isOff={at === items.length - 1}
                onPress={() => move(at, at + 1)}
              />
              <ItemButton sign="×" label={text("removeItem", { number: at + 1, name })} onPress={() => remove(at)} />
            </div>
          </li>
        ))}
      </ol>
      {empty && (
        <button type="button" onClick={() => onChange([...items, empty()])}>
          {text("addItem", { name })}
        </button>
      )}
    </fieldset>
  );
}

interface ItemButtonProps {
  readonly sign: string;
  readonly label: string;
  readonly isOff?: boolean;
  readonly onPress: () => void;
}

const ItemButton = ({ sign, label, isOff = false, onPress }: ItemButtonProps) => (
  <button type="button" class="quiet" aria-label={label} title={label} disabled={isOff} onClick={onPress}>
    {sign}
  </button>
);

function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from);
  rest.splice(to, 0, items[from]!);
  return rest;
}

/** Keys that stay with their items, so that what is open in one moves with it. */
function useKeys(length: number) {
  const keys = useRef<number[]>([]);
  const next = useRef(0);
  while (keys.current.length < length) keys.current.push(next.current++);
  useEffect(() => {
    keys.current.length = length;
  }, [length]);
  return {
    keys: keys.current,
    arrange: (change: (keys: readonly number[]) => number[]): void => void (keys.current = change(keys.current)),
  };
}
