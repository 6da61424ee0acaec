/** Names in the library. */
import { describe, expect, it } from "vitest";
import { folderName, markedName, nameTooLong, safeName, mediaStemOf } from "../../../src/model/media/media-name.ts";
import { extensionOf, lfsPointer, sniff, typeByName } from "../../../src/model/media/media-type.ts";

describe("safeName", () => {
  // oxfmt-ignore
  it.each([
    ["photo.jpg",                  "photo.jpg"],
    ["ünï cödé (1)!.png",          "ünï_cödé_1.png"],
    ["日本語.jpg",                  "日本語.jpg"],
    ["e\u0301te\u0301.jpg",        "été.jpg"],                 // composed
    ["../../etc/passwd",           "passwd"],
    ["C:\\Users\\me\\photo.jpg",   "photo.jpg"],
    ["/abs/olute.png",             "olute.png"],
    ["a\0b.jpg",                   "ab.jpg"],
    ["a\r\nSet-Cookie: x.jpg",     "a_Set-Cookie_x.jpg"],
    ["gpj\u202Egnp.exe",           "gpjgnp.exe"],              // no reversed text
    [".htaccess",                  "htaccess"],
    ["...",                        "file"],
    ["..",                         "file"],
    ["",                           "file"],
    ["   ",                        "file"],
    ["....jpg",                    "jpg"],
    ["-rf.jpg",                    "rf.jpg"],
    ["name.",                      "name"],
    ["a..b.jpg",                   "a..b.jpg"],
    [".git",                       "git"],
    ["\u{1f389}\u{1f389}.jpg",       "file.jpg"],
    ["--.png",                     "file.png"],
    ["\u{1f600} .PDF",             "file.PDF"],
    ["git~1",                      "git1"],
    ["CON.jpg",                    "file_CON.jpg"],
    ["nul",                        "file_nul"],
    ["_folder",                    "file_folder"],             // its record would be the folder's
    ["<script>alert(1)</script>.svg", "script.svg"],           // the part after the last slash
    ["a b\tc\u00a0d.txt",          "a_b_c_d.txt"],
    ["IMG.JPG",                    "IMG.JPG"],
  ])("%j is kept as %j", (name, expected) => {
    expect(safeName(name)).toBe(expected);
  });

  it("uses the extension of the detected type", () => {
    expect(safeName("photo.png", ".jpg")).toBe("photo.jpg");
    expect(safeName("noext", ".jpg")).toBe("noext.jpg");
  });

  it("fits into the limit of file systems, without cutting a character", () => {
    const name = safeName(`${"漢".repeat(96)}.jpg`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^漢+\.jpg$/);
  });
});

describe("nameTooLong", () => {
  it.each([
    ["a".repeat(100), undefined],
    ["a".repeat(101), "Ensure this filename has at most 100 characters (it has 101)."],
    [`folder/${"a".repeat(100)}`, undefined], // the folder does not count
    ["😀".repeat(100), undefined],
  ])("%.12s...", (name, expected) => {
    expect(nameTooLong(name)).toBe(expected);
  });
});

it.each([
  ["photo.jpg", "photo_ab12xyz.jpg", "photo"],
  ["a/b/noext", "a/b/noext_ab12xyz", "a/b/noext"],
  ["v1.2/noext", "v1.2/noext_ab12xyz", "v1.2/noext"],
])("%s with the suffix is %s, its stem %s", (name, marked, stem) => {
  expect([markedName(name, "ab12xyz"), mediaStemOf(name)]).toEqual([marked, stem]);
});

// oxfmt-ignore
it.each([
  ["Summer 2026", "summer-2026"],
  ["Crème brûlée", "creme-brulee"],
  ["日本",         "日本"],   // its slug is "", but a directory needs a name
  ["!!!",         "folder"],
  ["../..",       "folder"],
  ["a/b",         "ab"],
  ["CON",         "con-folder"],
  [".git",        "git"],
])("the folder %j has the directory %j", (title, dir) => {
  expect(folderName(title)).toBe(dir);
});

describe("sniff", () => {
  const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");
  // oxfmt-ignore
  it.each([
    ["\xff\xd8\xff\xe0",                       "image/jpeg"],
    ["\x89PNG\r\n\x1a\n",                      "image/png"],
    ["GIF89a",                                 "image/gif"],
    ["RIFF\0\0\0\0WEBPVP8 ",                   "image/webp"],
    ["RIFF\0\0\0\0WAVE",                       undefined],
    ["II\x2a\0",                               "image/tiff"],
    ["\0\0\0\x20ftypavif",                     "image/avif"],
    ["\0\0\0\x20ftypmif1\0\0\0\0mif1avif",     "image/avif"],
    ["\0\0\0\x20ftypheic",                     "image/heic"],
    ["%PDF-1.7",                               "application/pdf"],
    ["<svg xmlns='x'>",                        "image/svg+xml"],
    ["\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a --><svg>", "image/svg+xml"],
    ["<?xml version='1.0'?><rss>",             "application/xml"],
    ["  <!DOCTYPE html><p>",                   "text/html"],
    ["<script>",                               "text/html"],
    ["hello <svg> world",                      undefined],
    ["",                                       undefined],
  ])("%j is %s", (text, mime) => {
    expect(sniff(latin(text))?.mime).toBe(mime);
  });
});

it.each([
  ["a.JPG", ".jpg", "image/jpeg"],
  ["a.tar.gz", ".gz", "application/gzip"],
  [".htaccess", "", "application/octet-stream"],
  ["dir.d/file", "", "application/octet-stream"],
  ["a.exe", ".exe", "application/octet-stream"],
])("%s has the extension %j and counts as %s", (name, extension, mime) => {
  expect([extensionOf(name), typeByName(name).mime]).toEqual([extension, mime]);
});

it("detects Git LFS pointers", () => {
  const text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
  expect(lfsPointer(Buffer.from(text))).toEqual({ size: 12345 });
  expect(lfsPointer(Buffer.from("version 2"))).toBeUndefined();
});
