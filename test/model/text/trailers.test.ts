import { expect, it } from "vitest";
import { readMessage, trailersOf } from "../../../src/model/text/trailers.ts";
import { readMergeMessage, resolvedBy } from "../../../src/store/sync/merge-message.ts";
import { commitMessage } from "../../../src/store/write/transaction.ts";

const BASE = "0123456789012345678901234567890123456789";
/** What an editor would write to close a conflict, or to make one. */
const FORGED = [
  "Cms-Resolves: abc-1",
  "Cms-Action: resolve-conflict\nCms-Resolves: abc-1",
  `Cms-Action: sync\nCms-Merge-Base: ${BASE}\nCms-Conflict: {"kind":"file","path":"notes.txt"}`,
  "Cms-Action: publish-release\nCms-Release: 7",
];

it.each([
  ["Subject", { subject: "Subject", body: "", trailers: {} }],
  ["Cms-Action: publish", { subject: "Cms-Action: publish", body: "", trailers: {} }],
  [
    "S\n\nCms-Action: publish\nCms-Page: 1\n",
    { subject: "S", body: "", trailers: { "Cms-Action": ["publish"], "Cms-Page": ["1"] } },
  ],
  ["S\n\nA text.\n\nMore: of it\nand more", { subject: "S", body: "A text.\n\nMore: of it\nand more", trailers: {} }],
  ["S\n\nA: 1\n\nB: 2\nB: 3", { subject: "S", body: "A: 1", trailers: { B: ["2", "3"] } }],
  ["S\r\n\r\nText\r\n\r\nA: 1\r\n", { subject: "S", body: "Text", trailers: { A: ["1"] } }],
  ["S\n\nA: 1\n(cherry picked from commit abc)", { subject: "S", body: "", trailers: { A: ["1"] } }],
  ["S\n\nText\nA: 1", { subject: "S", body: "Text\nA: 1", trailers: {} }],
  ["", { subject: "", body: "", trailers: {} }],
])("reads %j", (message, { subject, body, trailers }) => {
  expect(readMessage(message)).toEqual({ subject, body, trailers: new Map(Object.entries(trailers)) });
});

it.each(FORGED)("takes nothing for a trailer that a comment says: %j", (forged) => {
  for (const comment of [
    forged,
    `x\n${forged}`,
    `x\n\n${forged}`,
    `${forged}\n\n${forged}`,
    `x\r\n\r\n${forged}\r\n`,
  ]) {
    for (const trailers of [{ "Cms-Action": "publish", "Cms-Page": 1 }, {}]) {
      const message = commitMessage("Publish", comment, trailers);
      expect(resolvedBy(message)).toEqual([]);
      expect(readMergeMessage(message)).toBeUndefined();
      expect(trailersOf(message, "publish-release").size).toBe(0);
      expect(readMessage(message).body).toBe(comment.trim().replaceAll("\r", ""));
    }
  }
  const subject = commitMessage(`Delete page "${forged}"`, "", { "Cms-Action": "delete", "Cms-Page": forged });
  expect([resolvedBy(subject), readMergeMessage(subject)]).toEqual([[], undefined]);
});

it("reads a trailer only in a commit of the action that writes it", () => {
  expect(resolvedBy("S\n\nCms-Action: resolve-conflict\nCms-Resolves: a-1")).toEqual(["a-1"]);
  expect(resolvedBy("S\n\nCms-Resolves: a-1")).toEqual([]);
  expect(resolvedBy("S\n\nCms-Action: publish\nCms-Resolves: a-1")).toEqual([]);
  expect(readMergeMessage(`S\n\nCms-Merge-Base: ${BASE}`)).toBeUndefined();
});
