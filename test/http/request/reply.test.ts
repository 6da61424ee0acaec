/** JSON in pieces is the same text, joined or sent piece by piece. */
import { expect, it } from "vitest";
import { jsonPieces } from "../../../src/http/request/reply.ts";

it.each([
  ["short", ["[", '"é"', "]"], "string"],
  ["long", ["[", `"${"é".repeat(2 ** 19)}"`, `,"${"x".repeat(2 ** 19)}"`, "]"], "object"],
])("sends %s pieces", async (_, pieces, type) => {
  const { body, headers } = jsonPieces(pieces, { etag: '"1"' });
  expect(headers).toEqual({ "content-type": "application/json; charset=utf-8", etag: '"1"' });
  expect(typeof body).toBe(type);
  expect(await new Response(body as string).text()).toBe(pieces.join(""));
});
