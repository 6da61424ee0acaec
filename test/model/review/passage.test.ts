import { describe, expect, it } from "vitest";
import { passageAt, PASSAGE_MAX, placeOfPassage } from "../../../src/model/review/passage.ts";

const TEXT = "The harbour was built in 1950 by two families. The harbour has been in use since.";

/** The passage of the words, at their nth place. */
function passageOf(words: string, nth = 0) {
  let start = TEXT.indexOf(words);
  for (let seen = 0; seen < nth; seen++) start = TEXT.indexOf(words, start + 1);
  return passageAt(TEXT, start, start + words.length);
}

describe("placeOfPassage", () => {
  // oxfmt-ignore
  it.each([
    // passage                       text now                                                              found
    [passageOf("in 1950"),           TEXT,                                                                 "in 1950"],
    [passageOf("in 1950"),           `Once more: ${TEXT}`,                                                 "in 1950"],
    [passageOf("in 1950"),           "It was in 1950.",                                                    "in 1950"],
    [passageOf("in 1950"),           TEXT.replace("in 1950", "around 1949"),                               "around 1949"],
    [passageOf("in 1950"),           TEXT.replace("in 1950 ", ""),                                         undefined],
    [passageOf("in 1950"),           "Another text.",                                                      undefined],
    [passageOf("in 1950"),           "",                                                                   undefined],
    [passageOf("The harbour was"),   TEXT.replace("The harbour was", "Our harbour was"),                   "Our harbour was"],
    [passageOf("in use since."),     TEXT.replace("in use since.", "in use ever since."),                  "in use ever since."],
    [passageOf("in 1950"),           TEXT.replace("in 1950", "x".repeat(200)),                             undefined],
    [passageAt("All", 0, 3),         "Everything",                                                         undefined],
  ])("%j in %j is %j", (passage, now, found) => {
    const place = placeOfPassage(now, passage);
    expect(place && now.slice(place.start, place.end)).toBe(found);
  });

  it("tells places with the same words apart by the text around", () => {
    const moved = `It rains. ${TEXT}`;
    expect(placeOfPassage(moved, passageOf("harbour", 1))?.start).toBe(moved.lastIndexOf("harbour"));
    expect(placeOfPassage(moved, passageOf("harbour", 0))?.start).toBe(moved.indexOf("harbour"));
  });

  it("takes a passage that is too long by its beginning", () => {
    const long = "abcdefghij".repeat(100);
    expect(passageAt(long, 0, 1000).text).toHaveLength(PASSAGE_MAX);
  });
});
