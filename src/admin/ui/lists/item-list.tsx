/** A list whose items are added, removed and put in order, by buttons or by dragging. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { text } from "../../i18n.ts";
import { Item, type ItemDrawing, type ListVerbs } from "./list-item.tsx";
import { memo } from "../memo.ts";
import { offerUndo } from "../notices.tsx";

/** A long list is several of this many items, since the browser lays out and paints only those that are near what is seen. */
const PART = 25;

interface ItemListProps<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly onChange: (items: readonly T[]) => void;
  /** What an item is known by wherever it is; absent: its place, and it takes what is open in it along when it moves. */
  readonly keyOf?: (item: T) => string;
  /** A new item; absent: items are added elsewhere. */
  readonly empty?: () => T;
  /** An item is drawn again when it, its place or this function is another one: typing in a long list is quick where it stays. */
  readonly children: ItemDrawing<T>;
}

export function ItemList<T>({ name, items, onChange, keyOf, empty, children }: ItemListProps<T>) {
  const id = useId();
  const { keys: places, arrange } = useKeys(items.length);
  const keys = keyOf ? items.map(keyOf) : places;
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const list = useRef<HTMLFieldSetElement>(null);
  /** The place and the part of an item that gets the focus when it is drawn. */
  const awaited = useRef<{ readonly at: number; readonly part: string } | undefined>(undefined);
  useLayoutEffect(() => {
    if (awaited.current === undefined) return;
    const { at, part } = awaited.current;
    const item = list.current?.querySelectorAll(":scope > ol > li")[at];
    item?.querySelector<HTMLElement>(part)?.focus();
    awaited.current = undefined;
  });
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= items.length || from === to) return;
    arrange((all) => moveItem(all, from, to));
    onChange(moveItem(items, from, to));
    awaited.current = { at: to, part: ":scope > .item-actions button" };
  };
  /** Takes back the offer to undo a removal: once the list is gone, nothing would follow it. */
  const withdraw = useRef<() => void>(undefined);
  useEffect(() => () => withdraw.current?.(), []);
  const latest = useRef<ListVerbs<T>>(undefined!);
  latest.current = {
    change: (at, next) => onChange(items.map((each, index) => (index === at ? next : each))),
    move,
    insert(at, item) {
      const place = Math.min(at, items.length);
      onChange([...items.slice(0, place), item, ...items.slice(place)]);
      arrange((all) => moveItem([...all, Math.max(-1, ...all) + 1], all.length, place));
    },
    remove(at) {
      const removed = items[at]!;
      arrange((all) => all.filter((_, index) => index !== at));
      onChange(items.filter((_, index) => index !== at));
      withdraw.current?.();
      withdraw.current = offerUndo(text("itemRemoved", { number: at + 1, name }), () =>
        latest.current.insert(at, removed),
      );
    },
    dragged,
    drag: setDragged,
  };
  const parts = useRef<readonly (readonly T[])[]>([]);
  parts.current = partsOf(items, parts.current);
  return (
    <fieldset aria-labelledby={id} ref={list}>
      <legend id={id}>{name}</legend>
      {parts.current.map((part, index) => (
        <Part
          key={index}
          {...{ name, keys, dragged, verbs: latest }}
          items={part}
          before={index * PART}
          of={items.length}
        >
          {children}
        </Part>
      ))}
      {empty && (
        <button
          type="button"
          onClick={() => {
            onChange([...items, empty()]);
            awaited.current = { at: items.length, part: "input, textarea, select, button" };
          }}
        >
          {text("addItem", { name })}
        </button>
      )}
    </fieldset>
  );
}

/** Those of before stay where their items are the same. */
function partsOf<T>(items: readonly T[], before: readonly (readonly T[])[]): (readonly T[])[] {
  return Array.from({ length: Math.max(1, Math.ceil(items.length / PART)) }, (_, index) => {
    const part = items.slice(index * PART, (index + 1) * PART);
    const same = before[index];
    return same?.length === part.length && same.every((item, at) => item === part[at]) ? same : part;
  });
}

interface PartProps<T> {
  readonly name: string;
  readonly items: readonly T[];
  /** How many items the parts before it have, and all. */
  readonly before: number;
  readonly of: number;
  /** The keys of all items. */
  readonly keys: readonly (number | string)[];
  readonly dragged: number | undefined;
  readonly verbs: { readonly current: ListVerbs<T> };
  readonly children: ItemDrawing<T>;
}

const Part = memo(function Part<T>({ items, before, of, keys, dragged, ...same }: PartProps<T>) {
  return (
    <ol class={of > PART ? "items part" : "items"} start={before + 1}>
      {items.map((item, index) => {
        const at = before + index;
        return (
          <Item
            key={keys[at]}
            {...{ ...same, item, at }}
            isFirst={at === 0}
            isLast={at === of - 1}
            isDragged={dragged === at}
          />
        );
      })}
    </ol>
  );
});

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
