/** The content of the site, and the questions that pages ask about it. */
import { cachedClient, pathOfSegments } from "git-cms/next";
import { draftAt, isRedirect } from "git-cms/client";
import { notFound, permanentRedirect, redirect } from "next/navigation";
import { cache } from "react";
import type { AnyPublicPage, PublicArticle, Site } from "./cms-types";

export const cms = cachedClient<Site>();

/** Of a route that has the path of a page. */
export interface RouteProps {
  readonly params: Promise<{ readonly path?: readonly string[] }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** The public page of a route. */
export async function pageAt({ params }: Pick<RouteProps, "params">): Promise<AnyPublicPage> {
  const page = await cms.page(pathOfSegments((await params).path));
  if (page === null) notFound();
  return isRedirect(page) ? permanentRedirect(page.redirect) : page;
}

/** The page of a route of /preview, with its draft. */
export async function draftOf({ params, searchParams }: RouteProps): Promise<AnyPublicPage> {
  const url = new URL(`/preview${pathOfSegments((await params).path)}`, "http://localhost");
  for (const [name, value] of Object.entries(await searchParams)) url.searchParams.set(name, String(value));
  const draft = await draftAt(cms, url);
  if (!(draft instanceof Response)) return draft as AnyPublicPage;
  const location = draft.headers.get("location");
  if (location !== null) redirect(location);
  if (draft.status === 404) notFound();
  throw new Error(await draft.text());
}

/** All public pages. What asks for them is rendered again when one of them changes, or is added or removed. */
const allPages = cache(async (): Promise<readonly AnyPublicPage[]> => {
  const { urls } = await cms.manifest();
  const pages = await Promise.all(urls.map(({ path }) => cms.page(path)));
  return pages.filter((page) => page !== null && !isRedirect(page)) as AnyPublicPage[];
});

/** The articles in a language, the newest first. */
export const articlesIn = async (language: string): Promise<PublicArticle[]> =>
  (await allPages())
    .flatMap((page) => (page.related_name === "cms_article" && page.language === language ? page : []))
    .sort((a, b) => String(b.published_at).localeCompare(String(a.published_at)));
