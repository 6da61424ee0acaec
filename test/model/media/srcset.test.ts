/** The srcset strings of an item, by format. */
import { describe, expect, it } from "vitest";
import { srcsets } from "../../../src/model/media/srcset.ts";

describe("srcsets", () => {
  it("has each format's widths in order, and no format without renditions", () => {
    const at = (format: string, width: number) => ({ format, width, url: `/${format}-${width}` });
    expect(srcsets([at("webp", 800), at("original", 400), at("webp", 400)])).toEqual({
      webp: "/webp-400 400w, /webp-800 800w",
      original: "/original-400 400w",
    });
    expect(srcsets([])).toEqual({});
  });
});
