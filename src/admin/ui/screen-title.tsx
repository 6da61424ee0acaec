import { useEffect } from "preact/hooks";

/** The heading of a screen, which also names the tab, its bookmark and its place in the browser's history. */
export function ScreenTitle({ name }: { name: string }) {
  useEffect(() => {
    document.title = `${name} – ${location.host}`;
  }, [name]);
  return <h1>{name}</h1>;
}
