/** Screens that are loaded when they are shown first, so that the first load stays small. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadPart } from "./load-part.ts";
import { notifyFailure } from "./notices.tsx";

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, setLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded) return;
      loadPart(load).then((component) => {
        loaded = component;
        setLoaded(true);
      }, notifyFailure);
    }, []);
    const Loaded = loaded;
    return Loaded ? <Loaded {...props} /> : null;
  };
}
