import { useEffect } from "preact/hooks";
import { siteName } from "../site.ts";

/** The heading of a screen, which also names the tab, its bookmark and its place in the browser's history. */
export function ScreenTitle({ name }: { name: string }) {
  useEffect(() => {
    document.title = `${name} – ${siteName.value}`;
  }, [name, siteName.value]);
  return <h1>{name}</h1>;
}
