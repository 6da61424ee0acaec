import { notify } from "./notices.tsx";

/** Copies a text to the clipboard, and tells so; where that cannot be, the text is told. */
export async function copyText(copied: string, told: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(copied);
    notify(told);
  } catch {
    // Browsers refuse it on a site without HTTPS.
    notify(copied);
  }
}
