/** Two clones that write in one thread. */
import { expect, it } from "vitest";
import { stringify } from "yaml";
import type { CommentThread } from "../../../src/model/review/thread.ts";
import { decodeFile } from "../../../src/store/codec/codec.ts";
import { mergeRecordFile } from "../../../src/store/merge/merge-file.ts";
import { THREADS } from "../../../src/store/records/people/threads.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };
const PATH = "content/threads/7.yaml";

const at = (minute: number): string => `2026-03-01T12:0${minute}:00.000Z`;
const comment = (id: number, text: string) => ({ id, by: "anna", name: "Anna", at: at(0), text });
const BASE = { id: 7, page: 12, language: "it", field: "title", comments: [comment(1, "Right?")] };

function merge(ours: object, theirs: object): { thread: CommentThread; conflicts: readonly unknown[] } {
  const [base, left, right] = [BASE, ours, theirs].map((side) => new TextEncoder().encode(stringify(side)));
  const sides = { base: base!, ours: left!, theirs: right! };
  const merged = mergeRecordFile({ path: PATH, kind: THREADS, locales: LOCALES }, sides);
  if (merged.outcome === "unreadable") throw merged.problem;
  const files = new Map([[".yaml", decodeFile(PATH, merged.bytes!)]]);
  return { thread: THREADS.fromFiles("content/threads/7", files, LOCALES), conflicts: merged.conflicts };
}

it("has the comments of both", () => {
  const ours = { ...BASE, comments: [comment(1, "Right? It says 1950."), comment(2, "Yes")] };
  const theirs = { ...BASE, comments: [comment(1, "Right?"), comment(3, "No")] };
  const { thread, conflicts } = merge(ours, theirs);
  expect(thread.comments.map(({ id, text }) => `${id}: ${text}`).sort()).toEqual([
    "1: Right? It says 1950.",
    "2: Yes",
    "3: No",
  ]);
  expect(conflicts).toEqual([]);
});

it("is resolved once where both have resolved it", () => {
  const { thread, conflicts } = merge({ ...BASE, resolved_at: at(1) }, { ...BASE, resolved_at: at(2) });
  expect([thread.resolved_at, conflicts]).toEqual([at(2), []]);
});
