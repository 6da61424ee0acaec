/** Security headers of answers, by content type. */
import type { Config } from "../../config.ts";
import { COMMON_HEADERS, pageHeaders } from "../../render/page-headers.ts";
import type { Headers, Reply } from "./reply.ts";

/** For JSON: a browser that displays it loads and runs nothing. */
export const JSON_HEADERS: Headers = {
  ...COMMON_HEADERS,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** A list of entries, since it is used for every answer. */
export type HeadersFor = (reply: Reply) => readonly (readonly [string, string])[];

/** The headers that an answer does not set itself. Computed once per site. */
export function protectiveHeaders(config: Config): HeadersFor {
  const always = Object.entries(COMMON_HEADERS);
  const data = Object.entries(JSON_HEADERS);
  const pages = Object.entries(pageHeaders(config));
  return ({ headers }) => {
    const type = headers["content-type"] ?? "";
    if (type.startsWith("application/json")) return data;
    return type.startsWith("text/html") ? pages : always;
  };
}
