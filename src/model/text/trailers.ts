/**
 * The trailers of a commit message: facts for programs, in lines like `Cms-Action: publish`.
 *
 * Comments of editors are in messages, too, so only the last paragraph counts, which `commitMessage` writes itself. What a
 * trailer says counts only in a commit whose `Cms-Action` is that of the program that writes it.
 */

/** The trailer that names what a commit of the service does. */
export const ACTION_KEY = "Cms-Action";

export interface ReadMessage {
  readonly subject: string;
  /** What is between the subject and the trailers. */
  readonly body: string;
  /** All values of each name, in their order. */
  readonly trailers: ReadonlyMap<string, readonly string[]>;
}

const TRAILER = /^([A-Za-z][\w-]*): (.*)$/;
/** `git cherry-pick -x` adds it to the trailers. */
const CHERRY_PICKED = "(cherry picked from commit ";

export function readMessage(message: string): ReadMessage {
  const lines = message.trim().split(/\r?\n/);
  const start = lines.findLastIndex((line) => line.trim() === "") + 1;
  const last = start > 0 ? lines.slice(start) : [];
  const areTrailers = last.every((line) => TRAILER.test(line) || line.startsWith(CHERRY_PICKED));
  const trailers = new Map<string, string[]>();
  for (const line of areTrailers ? last : []) {
    const [, name, value] = TRAILER.exec(line) ?? [];
    if (name !== undefined && value !== undefined) trailers.set(name, [...(trailers.get(name) ?? []), value.trim()]);
  }
  const [subject = "", ...body] = areTrailers && start > 0 ? lines.slice(0, start) : lines;
  return { subject, body: body.join("\n").trim(), trailers };
}

/** The trailers of a commit that does this; none of any other commit. */
export function trailersOf(message: string, action: string): ReadMessage["trailers"] {
  const { trailers } = readMessage(message);
  return trailers.get(ACTION_KEY)?.join() === action ? trailers : new Map();
}
