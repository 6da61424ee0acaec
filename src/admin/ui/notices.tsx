/** Short messages at the edge of the screen, read out by screen readers. */
import { signal } from "@preact/signals";
import { ApiError } from "../api.ts";
import { knownLabel, pathLabel } from "../fields/field-labels.ts";
import { text } from "../i18n.ts";
import { hrefOf } from "../router.ts";

interface Notice {
  readonly number: number;
  readonly message: string;
  readonly isError: boolean;
  /** Takes back what the message tells. */
  readonly undo?: () => void;
  /** What it is about; absent: nothing that a later message replaces. */
  readonly of?: string | undefined;
}

const SHOWN_MS = 5_000;
/** Time to read the message, decide, and reach the button. */
const UNDO_MS = 12_000;
const notices = signal<readonly Notice[]>([]);
let last = 0;

function show(message: string, isError: boolean, undo?: () => void, of?: string): () => void {
  const number = ++last;
  const hide = (): void => void (notices.value = notices.value.filter((each) => each.number !== number));
  const shown: Notice = { number, message, isError, of, ...(undo && { undo: () => (hide(), undo()) }) };
  notices.value = [...notices.value.filter((each) => of === undefined || each.of !== of), shown];
  setTimeout(hide, undo ? UNDO_MS : SHOWN_MS);
  return hide;
}

export const notify = (message: string, isError = false): void => void show(message, isError);

/**
 * Tells what was done, with a button that takes it back.
 *
 * @param of the record whose last change alone can be taken back @returns takes the offer back, where it can no longer be undone
 */
export const offerUndo = (message: string, undo: () => void, of?: string): (() => void) =>
  show(message, false, undo, of);

/** @param subject what failed, where more than one thing can */
export function notifyFailure(error: unknown, subject?: string): void {
  const reason = error instanceof ApiError && error.status > 0 ? reasonOf(error) : text("offline");
  show(text("requestFailed", { reason: subject === undefined ? reason : `${subject}: ${reason}` }), true);
}

/** Does something, and tells why it failed. @param done told unless it answered false */
export async function attempt(action: () => Promise<unknown>, done?: string): Promise<void> {
  try {
    if ((await action()) !== false && done !== undefined) notify(done);
  } catch (error) {
    notifyFailure(error);
  }
}

/** The first message, with the field that it is about where that has a name in the language of the editor; others have it at their control. */
function reasonOf({ fields, message }: ApiError): string {
  const [first] = Object.entries(fields);
  const path = first?.[1][0] === message ? first[0].split(".") : [];
  return knownLabel(path[0] ?? "") === undefined ? message : `${pathLabel(path)}: ${message}`;
}

/** In place of the screen of a record that could not be loaded. */
export const LoadFailure = ({ error, list, name }: LoadFailureProps) => (
  <p role="alert">
    {error.status === 404 ? text("notFound") : text("requestFailed", { reason: error.message })}{" "}
    <a href={hrefOf(list)}>{name}</a>
  </p>
);

interface LoadFailureProps {
  readonly error: ApiError;
  /** Path of the screen of the list, and what it is called. */
  readonly list: string;
  readonly name: string;
}

/** The dialogs that are open, of which the last one covers all else. */
export const openDialogs = signal<readonly string[]>([]);

/** @param dialog that they are in: what is below a dialog cannot be read or pressed */
export const Notices = ({ dialog }: { readonly dialog?: string }) => (
  <div class="notices" role="status">
    {(openDialogs.value.at(-1) === dialog ? notices.value : []).map(({ number, message, isError, undo }) => (
      <p key={number} class={isError ? "error" : ""}>
        <span>{message}</span>
        {undo && (
          <button type="button" onClick={undo}>
            {text("undo")}
          </button>
        )}
      </p>
    ))}
  </div>
);

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
