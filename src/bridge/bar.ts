/**
 * The bar of editors on a page of a front end, in a frame of the service, whose session the page never has. Only browsers in which
 * the editor has shown the site are asked for it, so that visitors make no request.
 */
import { barPath, SEEN } from "./messages.ts";

export function showBar(service: string, signal: AbortSignal): void {
  if (!isKnown()) return;
  const frame = document.createElement("iframe");
  frame.src = `${service.replace(/\/$/, "")}${barPath}?path=${encodeURIComponent(location.pathname)}`;
  frame.title = "Editor";
  const look =
    "position:fixed;bottom:0;left:50%;transform:translateX(-50%);border:0;z-index:2147483647;color-scheme:normal;";
  frame.style.cssText = `${look}visibility:hidden;width:min(100vw,40rem);height:5rem`;
  const { origin } = new URL(service, location.href);
  // What is not for this account has nothing to say, and stays hidden.
  const hear = ({ source, origin: from, data }: MessageEvent): void => {
    if (source !== frame.contentWindow || from !== origin || data?.type !== "cms:bar") return;
    frame.style.cssText = `${look}width:${Number(data.width)}px;height:${Number(data.height)}px`;
  };
  addEventListener("message", hear, { signal });
  signal.addEventListener("abort", () => frame.remove());
  if (document.body) document.body.append(frame);
  else addEventListener("DOMContentLoaded", () => document.body.append(frame), { signal });
}

function isKnown(): boolean {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return false; // storage is blocked
  }
}
