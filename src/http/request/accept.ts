/** Content negotiation (RFC 9110, 12.5.1) for resources with one representation. */
import { CmsError } from "../../errors.ts";
import type { RequestHeaders } from "./request.ts";

/**
 * Refuses a request whose `Accept` header excludes JSON and the other types of the route.
 *
 * @param types of the route besides JSON
 * @throws CmsError `not_acceptable`
 */
export function refuseUnacceptable(headers: RequestHeaders, types: readonly string[] = []): void {
  const header = headers.get("accept");
  if (!["application/json", ...types].some((type) => accepts(header, type)))
    throw new CmsError("not_acceptable", "Could not satisfy the request Accept header.");
}

/**
 * Whether an `Accept` header allows a media type. The most specific matching range decides; a header without a valid
 * range allows everything.
 *
 * @param type such as `application/json`
 */
export function accepts(header: string | null, type: string): boolean {
  if (header === null || header === "*/*") return true;
  const ranges = header.split(",").flatMap(rangeIn);
  if (ranges.length === 0) return true;
  const [main] = type.split("/");
  for (const name of [type, `${main}/*`, "*/*"]) {
    const found = ranges.filter((range) => range.name === name);
    if (found.length > 0) return found.some(({ quality }) => quality > 0);
  }
  return false;
}

/** Whether an `Accept-Encoding` header allows gzip (RFC 9110, 12.5.3); without the header, nothing is compressed. */
export function acceptsGzip(header: string | null): boolean {
  const qualities = new Map(
    (header ?? "").split(",").map((text) => {
      const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
      return [name, qualityIn(parameters)] as const;
    }),
  );
  return (qualities.get("gzip") ?? qualities.get("x-gzip") ?? qualities.get("*") ?? 0) > 0;
}

interface Range {
  readonly name: string;
  /** From 0 (excluded) to 1. */
  readonly quality: number;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+";
const NAME = new RegExp(`^${TOKEN}/${TOKEN}$`);

function rangeIn(text: string): Range[] {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  if (!NAME.test(name)) return [];
  return [{ name, quality: qualityIn(parameters) }];
}

/** The weight of an element: 1 where it has none, or an invalid one. */
function qualityIn(parameters: readonly string[]): number {
  const weight = parameters.find((each) => each.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return Number.isNaN(quality) ? 1 : quality;
}
