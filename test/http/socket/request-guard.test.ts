/** Valid request lines and headers, and that everything accepted is parsed the same way later. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAuthority } from "../../../src/http/socket/authority.ts";
import {
  HEAD_MAX,
  checkRequest,
  TARGET_MAX,
  type CheckedRequest,
  type RequestHead,
  type Refusal,
} from "../../../src/http/socket/request-guard.ts";

const head = (more: Partial<RequestHead>): RequestHead => ({
  method: "GET",
  target: "/",
  rawHeaders: ["Host", "a"],
  httpVersion: "1.1",
  local: "127.0.0.1:80",
  ...more,
});

describe("isAuthority", () => {
  it.each([
    "a",
    "a.b",
    "A.B.",
    "localhost:8000",
    "a_b.example",
    "-a-",
    "xn--bcher-kva.example",
    "1a",
    "1.a",
    "127.0.0.1",
    "127.0.0.1:80",
    "[::1]",
    "[::1]:65535",
    "[::ffff:10.0.0.1]",
    "a:0",
    `${"a".repeat(63)}.b`,
  ])("%s is valid", (text) => expect(isAuthority(text)).toBe(true));

  it.each([
    "",
    ".",
    "a..b",
    ":80",
    "a:",
    "a:99999",
    "a:65536",
    "a:080000",
    "a:-1",
    "a:80:80",
    "999.999.999.999",
    "1.2.3",
    "08",
    "1",
    "0x7f.1",
    "a.0x1",
    "1.2.3.4.",
    "xn--a",
    "xn--",
    "[::::]",
    "[::1",
    "::1",
    "[1.2.3.4]",
    "[fe80::1%25lo]",
    "[::1]x",
    "a b",
    "a/b",
    "a?b",
    "a#b",
    "u@a",
    "a\\b",
    "é",
    "%61",
    "a%00",
    `${"a".repeat(64)}.b`,
    "a.".repeat(130),
    "*",
    "a,b",
    "a;b",
    "<a>",
    "a'",
  ])("%j is invalid", (text) => expect(isAuthority(text)).toBe(false));

  it("never accepts what `new URL` refuses or changes", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 30 }),
          fc.stringMatching(/^[0-9a-fx.:[\]-]{1,20}$/),
          fc.ipV4(),
          fc.ipV6().map((ip) => `[${ip}]`),
          fc.domain(),
        ),
        (text) => {
          if (!isAuthority(text)) return;
          const { hostname } = new URL(`http://${text}/`);
          if (!text.startsWith("[")) expect(hostname).toBe(text.replace(/:\d+$/, "").toLowerCase());
        },
      ),
      { numRuns: 5000 },
    );
  });
});

describe("checkRequest", () => {
  it.each<[string, Partial<RequestHead>, CheckedRequest | Refusal["status"]]>([
    ["a path", { target: "/a/b/?c=d" }, { host: "a", target: "/a/b/?c=d" }],
    ["an encoded path", { target: "/%61pi/%C3%A8" }, { host: "a", target: "/%61pi/%C3%A8" }],
    ["a broken encoding", { target: "/%zz" }, { host: "a", target: "/%zz" }],
    [
      "bytes beyond ASCII",
      { target: "/citt\u00c3\u00a0?q=\u00c3\u00a0" },
      { host: "a", target: "/citt%C3%A0?q=%C3%A0" },
    ],
    [
      "quotes in a query",
      { target: `/?fltr=title='a' "b"`.replace(" ", "+") },
      { host: "a", target: "/?fltr=title=%27a%27+%22b%22" },
    ],
    ["a quote in a path", { target: "/it's" }, { host: "a", target: "/it's" }],
    ["two slashes", { target: "//evil.example/x" }, { host: "a", target: "//evil.example/x" }],
    ["dots in a name", { target: "/.a/b../...?../x" }, { host: "a", target: "/.a/b../...?../x" }],
    [
      "an absolute address",
      { target: "http://B.example:80/x?y", rawHeaders: ["Host", "b.example:80"] },
      { host: "B.example:80", target: "/x?y" },
    ],
    ["an absolute address without a path", { target: "HTTPS://a?y" }, { host: "a", target: "/?y" }],
    ["HTTP/1.0 without a host", { rawHeaders: [], httpVersion: "1.0" }, { host: "127.0.0.1:80", target: "/" }],
    ["an absolute address of another host", { target: "http://b/" }, 400],
    ["OPTIONS of everything", { method: "OPTIONS", target: "*" }, 204],
    ["everything", { target: "*" }, 400],
    ["no slash", { target: "a" }, 400],
    ["an authority", { target: "a:80" }, 400],
    ["another scheme", { target: "ftp://a/" }, 400],
    ["an absolute address with a name in it", { target: "http://u:p@a/" }, 400],
    ["an absolute address without a host", { target: "http:///x" }, 400],
    ["an absolute address with a bad port", { target: "http://a:99999/x" }, 400],
    ["a segment to go up", { target: "/a/../b" }, 400],
    ["an encoded one", { target: "/%2e" }, 400],
    ["a mixed one", { target: "/a/.%2E" }, 400],
    ["one in an absolute address", { target: "http://a/../b" }, 400],
    ["a backslash", { target: "/a\\b" }, 400],
    ["a fragment", { target: "/a#b" }, 400],
    ["a space", { target: "/a b" }, 400],
    ["a control character", { target: "/a\u0001" }, 400],
    ["a bad port", { rawHeaders: ["Host", "a:99999"] }, 400],
    ["no host", { rawHeaders: [] }, 400],
    ["an empty host", { rawHeaders: ["Host", ""] }, 400],
    ["two hosts", { rawHeaders: ["Host", "a", "HOST", "a"] }, 400],
    ["a header called as a value", { rawHeaders: ["X", "Host", "Host", "a", "Y", "host"] }, { host: "a", target: "/" }],
    ["too many headers", { rawHeaders: ["Host", "a", ...Array<string>(200).fill("x")] }, 431],
    ["a long address", { target: `/${"a".repeat(TARGET_MAX)}` }, 414],
    ["TRACE", { method: "TRACE" }, 405],
    ["another method", { method: "PROPFIND" }, 405],
    ["no method", { method: "" }, 405],
  ])("%s", (_what, more, expected) => {
    const judged = checkRequest(head(more));
    expect("status" in judged ? judged.status : judged).toEqual(expected);
  });

  it("accepts nothing that `new URL` refuses or changes", () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
    const piece = fc.oneof(
      byte,
      fc.constantFrom(
        "/",
        ".",
        "..",
        "%2e",
        "%2f",
        "\\",
        "?",
        "#",
        "'",
        '"',
        "@",
        ":",
        "//",
        "http://",
        "%",
        "[",
        "|",
        "^",
        "`",
        "{",
        "~",
        "é".slice(0, 1),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.boolean(),
        fc.string({ maxLength: 8 }),
        (pieces, isPath, host) => {
          const judged = checkRequest(
            head({ target: (isPath ? "/" : "") + pieces.join(""), rawHeaders: ["Host", host] }),
          );
          if ("status" in judged) return;
          const url = new URL(`http://${judged.host}${judged.target}`);
          expect(url.href).toBe(`${url.origin}${judged.target}`);
          expect(checkRequest(head({ target: judged.target, rawHeaders: ["Host", judged.host] }))).toEqual(judged);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it("is linear in the length of the head", () => {
    for (const part of ["/", "/.", "%2e", "a.", "[", ":", "é", "\\", "http://", "'"]) {
      const text = part.repeat(HEAD_MAX / part.length);
      for (const target of [text, `/${text}`, `http://${text}`])
        expect(checkRequest(head({ target: target.slice(0, TARGET_MAX), rawHeaders: ["Host", text] }))).toHaveProperty(
          "status",
        );
    }
  });
});
