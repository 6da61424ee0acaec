/**
 * Requests for other content than the newest: the parameters `at`, `as_of` and `release` of every read.
 *
 * They are checked before anything is looked up, also on public paths: without staff rights they are refused, never
 * ignored. What is answered is for that reader alone, and no cache has it, neither that of the router nor one on the way.
 */
import { invalid } from "../../errors.ts";
import type { SiteContext } from "../../library/context.ts";
import { siteFor } from "../../library/judged-site.ts";
import { siteAsOf, siteAt, siteWithRelease } from "../../library/moments/other-sites.ts";
import { parseInstant } from "../../model/time/instant.ts";
import { text } from "../../schema/json-schema.ts";
import type { Parameter } from "../openapi/operation.ts";
import { principalOf } from "../request/principal.ts";
import { PRIVATE, type Reply } from "../request/reply.ts";
import type { AppRequest, RequestUrl } from "../request/request.ts";
import { authorize } from "../app/authorize.ts";

interface ContentParameter extends Parameter {
  /** @param value as it was sent @throws CmsError `not_found` or `invalid` with the reason */
  open(ctx: SiteContext, value: string): Promise<SiteContext>;
}

/** Each names one content; a request has one of them at most. */
export const CONTENT_PARAMETERS: readonly ContentParameter[] = [
  {
    name: "at",
    description:
      "Reads the content of this commit, tag, branch or moment instead (`2026-03-01T12:00:00Z`: as the branch was then). " +
      "For staff.",
    schema: text("v1.4"),
    open: siteAt,
  },
  {
    name: "as_of",
    description: "Reads the site as it will be at this moment, with all that is scheduled until then. For staff.",
    schema: text("2026-12-24T08:00:00Z"),
    open(ctx, value) {
      const moment = parseInstant(value);
      if (moment === undefined) throw invalid({ as_of: ["Invalid datetime."] });
      return siteAsOf(ctx, moment);
    },
  },
  {
    name: "release",
    description: "Reads the site as it would be if this release were published now. For staff.",
    schema: text("spring"),
    open: siteWithRelease,
  },
];

/** A read of other content. */
export interface OtherContent {
  readonly ctx: SiteContext;
  /** Without the parameter: what is answered does not depend on how the content was named. */
  readonly request: AppRequest;
  /** As it is sent: never stored by a cache. */
  answer(reply: Reply): Reply;
}

/** Whether a request names other content, well or not. Cheap, since every request is asked. */
export const namesContent = ({ search, searchParams }: RequestUrl): boolean =>
  search !== "" && CONTENT_PARAMETERS.some(({ name }) => searchParams.has(name));

/**
 * Opens the content that a request names.
 *
 * @throws CmsError `unauthenticated` or `forbidden` without staff rights, `invalid` for a write, for two of the parameters
 *   and for a value that is none; `not_found` for content that does not exist
 */
export async function openContent(ctx: SiteContext, request: AppRequest): Promise<OtherContent> {
  const { user, principal } = await principalOf(ctx, request.headers, true);
  authorize({ staff: true }, user);
  const { searchParams } = request.url;
  const [asked, other] = CONTENT_PARAMETERS.flatMap((each) =>
    searchParams.getAll(each.name).map((value) => [each, value] as const),
  );
  const [parameter, value] = asked!;
  if (other) throw invalid({ [other[0].name]: ["Only one content can be read at a time."] });
  if (request.method !== "GET" && request.method !== "HEAD")
    throw invalid({ [parameter.name]: ["Other content than the newest can only be read."] });
  return readOf(
    await parameter.open(
      siteFor(ctx, () => principal!),
      value,
    ),
    request,
    parameter.name,
    value,
  );
}

/** The site that a parameter names. @throws CmsError as `openContent` for its value */
export async function openSite(ctx: SiteContext, name: string, value: string): Promise<SiteContext> {
  const parameter = CONTENT_PARAMETERS.find((each) => each.name === name);
  if (!parameter) throw new Error(`No parameter ${name} names content.`);
  return parameter.open(ctx, value);
}

/** A read of a site that a parameter of the request has named. */
export function readOf(site: SiteContext, request: AppRequest, name: string, value: string): OtherContent {
  const sent = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return {
    ctx: site,
    request: {
      method: request.method,
      url: withoutParameter(request.url, name),
      headers: request.headers,
      peer: request.peer,
      get web() {
        return request.web;
      },
    },
    answer: ({ cached: _cached, isFromCache: _isFromCache, ...reply }) => ({
      ...reply,
      headers: { ...withParameter(reply.headers, sent), ...PRIVATE },
    }),
  };
}

function withoutParameter(url: RequestUrl, name: string): RequestUrl {
  const rest = url.search
    .slice(1)
    .split("&")
    .filter((pair) => !new URLSearchParams(pair).has(name))
    .join("&");
  const search = rest === "" ? "" : `?${rest}`;
  const { protocol, host, pathname, href } = url;
  return {
    ...{ protocol, host, pathname, search },
    searchParams: new URLSearchParams(search),
    href: href.slice(0, href.length - url.search.length) + search,
  };
}

/** A redirect within the site leads to the same content. */
function withParameter(headers: Reply["headers"], sent: string): Reply["headers"] {
  const { location } = headers;
  if (location === undefined || !/^\/(?!\/)/.test(location)) return headers;
  const [path = "", fragment] = location.split("#", 2);
  const target = `${path}${path.includes("?") ? "&" : "?"}${sent}`;
  return { ...headers, location: fragment === undefined ? target : `${target}#${fragment}` };
}
