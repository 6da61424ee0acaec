import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameJson } from "../../../src/model/input/json.ts";
import { editYaml } from "../../../src/store/codec/yaml/edit.ts";
import { parseYaml } from "../../../src/store/codec/yaml/yaml.ts";
import { changed, written } from "./sample.ts";

const edits = written.chain((file) => fc.tuple(fc.constant(file), changed(file.data)));

describe("an edit of a file written by hand", () => {
  it("without a change gives the very same text", () => {
    fc.assert(
      fc.property(written, ({ text, data }) => editYaml(text, data, structuredClone(data)) === text),
      { numRuns: 150 },
    );
  });

  it("means what it should, and keeps every byte of what did not change", () => {
    fc.assert(
      fc.property(edits, ([{ text, data, chunks }, after]) => {
        const result = editYaml(text, data, after);
        expect(parseYaml(result, "x.yaml")).toEqual(after);
        for (const [key, chunk] of chunks) {
          if (Object.hasOwn(after, key) && sameJson(data[key], after[key])) expect(result).toContain(chunk);
        }
      }),
      { numRuns: 500 },
    );
  });
});
