/** What every answer tells the browser to refuse, by what the answer is. */
import type { Config } from "../config.ts";
import { ALWAYS, pageHeaders } from "../render/page-headers.ts";
import type { Headers, Reply } from "./reply.ts";

/** JSON is to be read by programs: shown in a browser it may do nothing at all. */
export const DATA: Headers = { ...ALWAYS, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };

/** As a list, since it is made for every answer. */
export type HeadersFor = (reply: Reply) => readonly (readonly [string, string])[];

/** Chosen once for a site; what an answer says itself goes before it. */
export function protectiveHeaders(config: Config): HeadersFor {
  const [always, data, pages] = [ALWAYS, DATA, pageHeaders(config)].map((headers) => Object.entries(headers));
  return ({ headers }) => {
    const type = headers["content-type"];
    if (type === undefined) return always!;
    if (type.startsWith("application/json")) return data!;
    return type.startsWith("text/html") ? pages! : always!;
  };
}
