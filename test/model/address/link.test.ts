import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { isSafeAddress, isUnsafe, readLink, SAFE_ADDRESS } from "../../../src/model/address/link.ts";

const SAFE = [
  "",
  "/",
  "/about",
  "/about/?q=a:b#c",
  "about",
  "./a",
  "../a",
  "?q=1",
  "#top",
  "#a:b",
  "/a:b",
  "a/b:c",
  "http://example.org",
  "https://example.org/a?b=//c",
  "HTTPS://EXAMPLE.ORG",
  "https://user@example.org:8080/",
  "mailto:a@example.org?subject=Two words",
  "sms:+39061234",
  "whatsapp://send?text=x",
  "ftp://example.org",
  "geo:41.9,12.5",
  "web+app:x",
  "javascripts:x",
  "MailTo:a@example.org",
  "tel:+39 06 1234",
  "/caf\u00e9/\u65e5\u672c",
  "/a b",
  "/x/%2F%2Fy",
  "javascript",
  "&#106;avascript:x",
  "/javascript:alert(1)",
];

const UNSAFE = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>1</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:x",
  "BLOB:x",
  "filesystem:http://x/y",
  "livescript:x",
  "jar:http://x!/y",
  "about:blank",
  "view-source:x",
  "x:",
  ":x",
  "%6aavascript:x",
  "//evil.example",
  "///evil.example",
  "//",
  "\\\\evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "/a\\b",
  "https:\\\\evil.example",
  " javascript:x",
  "\tjavascript:x",
  "java\nscript:x",
  "java\tscript:x",
  "\u0000javascript:x",
  "\u001fjavascript:x",
  "\u00a0javascript:x",
  "\ufeffjavascript:x",
  "/\t/evil.example",
  "/\n/evil.example",
  "/a\r\nb",
  "\t//evil.example",
  " /about",
  "/about ",
  "/a\u007f",
  "/a\u0085",
  "\ud800",
  "http:",
  "http://",
  "https:///evil.example",
  "http:evil.example",
  "http:/evil.example",
  "https://?x",
  "java script:x",
  "jav\u00adascript:x",
];

describe("fixed addresses", () => {
  const validate = new Ajv2020().compile({ type: "string", pattern: SAFE_ADDRESS.source });

  it.each([...SAFE.map((address) => [address, true] as const), ...UNSAFE.map((address) => [address, false] as const)])(
    "%j: %s",
    (address, isSafe) => {
      expect(isSafeAddress(address)).toBe(isSafe);
      expect(validate(address)).toBe(isSafe); // a JSON Schema validator agrees
      expect(isUnsafe(readLink({ static: address })!)).toBe(!isSafe);
    },
  );

  it.each(SAFE)("%j leads to this site or to the named host", (address) => {
    const { protocol, host } = new URL(address, "https://site.example/below/");
    if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) expect([protocol, host]).toEqual(["https:", "site.example"]);
    else expect(address.toLowerCase().startsWith(protocol)).toBe(true);
  });
});

it("a link to a page has no address", () => {
  expect(isUnsafe({ link_type: "RE", url_node: 1 })).toBe(false);
  expect(isUnsafe({ link_type: "ST", static: null })).toBe(false);
});
