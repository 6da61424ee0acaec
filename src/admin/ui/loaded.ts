/** What a screen asks the server for: a value once, and a list page by page. */
import { useEffect, useState } from "preact/hooks";
import { attempt, notifyFailure } from "./notices.tsx";

/** @returns undefined until it is there; a failure is told */
export function useLoaded<Value>(load: () => Promise<Value>): Value | undefined {
  const [value, setValue] = useState<Value | undefined>(undefined);
  useEffect(() => void load().then(setValue, notifyFailure), []);
  return value;
}

/** A value that is asked for again after each change. @returns `change` tells what fails */
export function useReloaded<Value>(load: () => Promise<Value>) {
  const [value, setValue] = useState<Value | undefined>(undefined);
  const again = (): Promise<void> => load().then(setValue, notifyFailure);
  useEffect(() => void again(), []);
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    await attempt(work);
    await again();
  };
  return [value, change] as const;
}

export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly paginator: { readonly count: number; readonly page: number; readonly has_next: boolean };
}

/**
 * @param read asks for a page, from 1
 * @param parts what the list depends on: another one starts it anew
 * @returns `found` is undefined until something is; `more` asks for the next page
 */
export function usePages<Item>(
  read: (page: number, signal: AbortSignal) => Promise<PageOf<Item>>,
  parts: readonly unknown[],
) {
  const [items, setItems] = useState<readonly Item[]>([]);
  const [found, setFound] = useState<PageOf<Item>["paginator"] | undefined>(undefined);
  const load = async (page: number, { signal }: AbortController): Promise<void> => {
    try {
      const answer = await read(page, signal);
      setItems((all) => (page === 1 ? answer.items : [...all, ...answer.items]));
      setFound(answer.paginator);
    } catch (error) {
      if (!signal.aborted) notifyFailure(error);
    }
  };
  useEffect(() => {
    const superseded = new AbortController();
    void load(1, superseded);
    return () => superseded.abort();
  }, parts);
  return { items, setItems, found, setFound, more: () => void load((found?.page ?? 0) + 1, new AbortController()) };
}
