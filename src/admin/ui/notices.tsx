/** Short messages at the edge of the screen, read out by screen readers. */
import { signal } from "@preact/signals";
import { ApiError } from "../api.ts";
import { text } from "../i18n.ts";

interface Notice {
  readonly number: number;
  readonly message: string;
  readonly isError: boolean;
}

const SHOWN_MS = 5_000;
const notices = signal<readonly Notice[]>([]);
let last = 0;

function show(message: string, isError: boolean): void {
  const number = ++last;
  notices.value = [...notices.value, { number, message, isError }];
  setTimeout(() => (notices.value = notices.value.filter((each) => each.number !== number)), SHOWN_MS);
}

export const notify = (message: string, isError = false): void => show(message, isError);

/** @param subject what failed, where more than one thing can */
export function notifyFailure(error: unknown, subject?: string): void {
  const reason = error instanceof ApiError && error.status > 0 ? error.message : text("offline");
  show(text("requestFailed", { reason: subject === undefined ? reason : `${subject}: ${reason}` }), true);
}

export const Notices = () => (
  <div class="notices" role="status">
    {notices.value.map(({ number, message, isError }) => (
      <p key={number} class={isError ? "error" : ""}>
        {message}
      </p>
    ))}
  </div>
);
