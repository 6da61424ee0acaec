/** Requests below the base path of a site, as a proxy passes them on that does not remove it. */
import type { AppRequest, RequestUrl } from "./request.ts";

/** The request as if the site were at the root of its host; the same one where a proxy removed the base path already. */
export function atRoot(request: AppRequest, base: string): AppRequest {
  const { pathname } = request.url;
  if (base === "" || !(pathname === base || pathname.startsWith(`${base}/`))) return request;
  const { protocol, host, search, searchParams } = request.url;
  const path = pathname.slice(base.length) || "/";
  const url: RequestUrl = {
    protocol,
    host,
    search,
    searchParams,
    pathname: path,
    href: `${protocol}//${host}${path}${search}`,
  };
  return {
    method: request.method,
    url,
    headers: request.headers,
    peer: request.peer,
    get web() {
      return request.web;
    },
  };
}
