/** The small pictures of files in lists. */
import { expect, it } from "vitest";
import { noteReplaced, smallPicture } from "../../src/admin/media/small-picture.ts";

const FILE = { file: "/media/a.png", mime_type: "image/png", size: 10 };
const rendition = (width: number, format: string) => ({ url: `/media/${width}.${format}`, width, format });

it.each([
  [{ ...FILE }, /^\/media\/a\.png\?/],
  [{ ...FILE, thumbnail: "/media/a_thumb.png" }, /^\/media\/a_thumb\.png\?/],
  [
    {
      ...FILE,
      renditions: {
        a: rendition(800, "webp"),
        b: rendition(400, "webp"),
        c: rendition(400, "avif"),
        d: rendition(40, "webp"),
      },
    },
    /^\/media\/400\.webp\?/,
  ],
  [{ ...FILE, mime_type: "text/plain" }, /^$/],
  [{ ...FILE, deleted_at: "2026-01-01T00:00:00Z" }, /^$/],
])("of %j is %s", (record, address) => {
  expect(smallPicture(record)).toMatch(address);
});

it("has another address once a file was replaced, of the same size too, and asks for the present one", () => {
  const before = smallPicture(FILE);
  expect(new URL(before, "http://a.test").searchParams.has("fresh")).toBe(true);
  expect(smallPicture({ ...FILE, size: 11 })).not.toBe(before);
  noteReplaced();
  expect(smallPicture(FILE)).not.toBe(before);
});
