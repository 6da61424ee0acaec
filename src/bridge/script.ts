/** The bridge as a script of a page: `<script src="https://cms.example/api/cms/bridge.js" defer></script>`. */
import { connectBy } from "./bridge.ts";

const script = document.currentScript as HTMLScriptElement | null;
if (script) {
  const { src, nonce, dataset } = script;
  const load = (): void => {
    const framed = document.createElement("script");
    framed.nonce = nonce;
    framed.src = src.replace("bridge.js", "bridge-frame.js");
    Object.assign(framed.dataset, dataset);
    document.head.append(framed);
  };
  connectBy(src.slice(0, src.lastIndexOf("/api/cms/")), new AbortController().signal, load);
}
