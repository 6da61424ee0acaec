/** What can be done on the screen that is open, for the palette. */
import { useLayoutEffect, useRef } from "preact/hooks";

export interface Command {
  readonly name: string;
  readonly run: () => void;
}

const offers = new Set<() => readonly Command[]>();

/** Offers commands as long as the component is on the screen. @param commands of its last rendering */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  // At once: the palette takes what is offered when it opens.
  useLayoutEffect(() => {
    const offer = (): readonly Command[] => latest.current;
    offers.add(offer);
    return () => void offers.delete(offer);
  }, []);
}

export const offeredCommands = (): Command[] => [...offers].flatMap((offer) => offer());
