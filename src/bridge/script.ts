/** The bridge as a script of a page: `<script src="https://cms.example/api/cms/bridge.js" defer></script>`. */
import { isFramed } from "./bridge.ts";

const script = document.currentScript as HTMLScriptElement | null;
if (script && isFramed()) {
  const framed = document.createElement("script");
  framed.nonce = script.nonce;
  framed.src = script.src.replace("bridge.js", "bridge-frame.js");
  Object.assign(framed.dataset, script.dataset);
  document.head.append(framed);
}
