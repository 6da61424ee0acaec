import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { AnyPage, Article, Redirect } from "../cms/cms-types";
import { pathOf, type Params } from "./page-at";

/** The page of a route, with its draft. Asked once for layout and page. */
export const previewAt = async ({ path }: Awaited<Params>): Promise<AnyPage | Article> => fetchPreview(pathOf(path));

const fetchPreview = cache(async (path: string): Promise<AnyPage | Article> => {
  const { CMS_URL = "http://127.0.0.1:8000", CMS_TOKEN } = process.env;
  const answer = await fetch(`${CMS_URL}/api/cms/pages-router-preview${path}`, {
    headers: { Authorization: `Token ${CMS_TOKEN}` },
    cache: "no-store",
  });
  if (answer.status === 404) notFound();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  const page: AnyPage | Article | Redirect = await answer.json();
  return "redirect" in page ? redirect(`/preview${page.redirect}`) : page;
});
