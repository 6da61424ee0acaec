import { describe, expect, it } from "vitest";
import { mentionsIn } from "../../../src/model/account/person.ts";
import { UNDATED } from "../../../src/model/time/instant.ts";
import {
  waitsFor,
  withAnswer,
  withEditedComment,
  withoutComment,
  type CommentThread,
} from "../../../src/model/review/thread.ts";

describe("mentionsIn", () => {
  it.each([
    ["Ask @anna.", ["anna"]],
    ["@anna and @bruno, @anna!", ["anna", "bruno"]],
    ["(@anna.bianchi) and @élise-2", ["anna.bianchi", "élise-2"]],
    ["anna@example.org", []],
    ["@ or @.", []],
    ["Nobody", []],
  ])("%j mentions %j", (text, names) => {
    expect(mentionsIn(text)).toEqual(names);
  });
});

const person = (username: string) => ({ username, name: username, email: `${username}@example.org` });

/** A thread of comments, each `by: text`. */
const thread = (...comments: readonly string[]): CommentThread => ({
  ...{ id: 1, page: 2, language: "it", field: "title", passage: null, resolved_at: null },
  comments: comments.map((each, at) => {
    const [by = "", text = ""] = each.split(": ");
    return { id: at + 1, by, name: by, at: UNDATED, edited_at: null, text };
  }),
});

describe("waitsFor", () => {
  it.each([
    [thread("edith: Is it so, @anna?"), true],
    [thread("edith: Is it so, @Anna?"), true],
    [thread("edith: Is it so, @anna?", "anna: Yes"), false],
    [thread("edith: Is it so, @anna?", "anna: Yes", "edith: Sure, @anna?"), true],
    [thread("edith: Is it so, @bruno?"), false],
    [{ ...thread("edith: Is it so, @anna?"), resolved_at: UNDATED }, false],
  ])("%j: %s", (of, waits) => {
    expect(waitsFor(of, "anna")).toBe(waits);
  });
});

describe("comments", () => {
  it("are changed by their author alone", () => {
    const asked = thread("edith: Is it so?", "anna: Yes");
    expect(withEditedComment(asked, 2, person("Anna"), "No", UNDATED).comments[1]).toMatchObject({ text: "No" });
    expect(() => withEditedComment(asked, 1, person("anna"), "No", UNDATED)).toThrow("The comment 1 is by edith");
    expect(() => withoutComment(asked, 1, person("anna"))).toThrow("The comment 1 is by edith");
    expect(() => withoutComment(asked, 3, person("anna"))).toThrow("The thread 1 has no comment 3.");
  });

  it("take the thread with the last one", () => {
    expect(withoutComment(thread("edith: Is it so?", "anna: Yes"), 2, person("anna"))?.comments).toHaveLength(1);
    expect(withoutComment(thread("anna: Yes"), 1, person("anna"))).toBeUndefined();
  });

  it("open a resolved thread again", () => {
    const [comment] = thread("anna: No").comments;
    expect(withAnswer({ ...thread("edith: Done"), resolved_at: UNDATED }, comment!).resolved_at).toBeNull();
  });
});
