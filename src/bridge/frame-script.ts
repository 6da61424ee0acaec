/** What `script.ts` loads in a frame. */
import { talk } from "./framed.ts";

const script = document.currentScript as HTMLScriptElement | null;
if (script) talk({ service: script.src, refresh: "refresh" in script.dataset }, new AbortController().signal);
