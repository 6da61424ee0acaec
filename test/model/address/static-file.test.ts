import { describe, expect, it } from "vitest";
import {
  pageAddressOf,
  precedesPages,
  staticContentType,
  staticFileAt,
  staticPathError,
} from "../../../src/model/address/static-file.ts";

const TAKEN = { taken: { mediaUrl: "/media/", serviceRoots: ["/api/cms", "/old/api"], appendSlash: true } };

describe("files of static/", () => {
  it.each([
    // path                  why it is not published
    ["robots.txt", undefined],
    ["css/site.css", undefined],
    ["demo/index.html", undefined],
    ["CNAME", undefined],
    ["apidocs.html", undefined],
    ["healthz", "is used by git-cms itself"],
    ["_Redirects", "is used by git-cms itself"],
    ["404.html", "is used by git-cms itself"],
    ["_data/x.json", "is used by git-cms itself"],
    ["media/x.png", "belong to the media library"],
    ["media", "belong to the media library"],
    ["Media/x.png", "belong to the media library"],
    ["api/cms/x.json", "belong to the service"],
    ["old/api", "belong to the service"],
    ["a\\b.txt", "backslash"],
    ["cafe\u0301.txt", "NFC"],
  ])("%j", (path, expected) => {
    const error = staticPathError(path, TAKEN);
    if (expected === undefined) expect(error).toBeUndefined();
    else expect(error).toContain(expected);
  });

  it.each([
    ["notes.txt", true],
    ["a/b.css", true],
    ["CNAME", false],
    ["demo/index.html", false],
    ["index.json", false],
    ["my-index.html", true],
  ])("%j goes before a page: %s", (path, expected) => expect(precedesPages(path)).toBe(expected));

  it.each([
    ["/a.txt", "a.txt"],
    ["/demo/", "demo/index.html"],
    ["/", "index.html"],
    ["/.git/config", undefined],
    ["/a/../b", undefined],
    ["//a.txt", undefined],
  ])("%j is answered by %j", (address, path) => expect(staticFileAt(address)).toBe(path));

  it.each([
    ["/about/index.html", "/about/"],
    ["/index.json", "/"],
    ["/about/", undefined],
    ["/my-index.html", undefined],
  ])("%j is a file of the page %j", (address, page) => expect(pageAddressOf(address)).toBe(page));

  it.each([
    ["a.js", "text/javascript; charset=utf-8"],
    ["a.html", "text/html; charset=utf-8"],
    ["a.svg", "image/svg+xml"],
    ["site.webmanifest", "application/manifest+json; charset=utf-8"],
    ["a.wasm", "application/wasm"],
    ["a.woff2", "font/woff2"],
    ["CNAME", "application/octet-stream"],
  ])("%j is %j", (path, type) => expect(staticContentType(path)).toBe(type));
});
