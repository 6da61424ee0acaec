/** Saving by keyboard, and not leaving a screen unasked with what is not saved. */
import { useEffect, useRef } from "preact/hooks";

/** Ctrl-S, Cmd-S: as long as the component is on the screen. */
export function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
