import { notFound } from "next/navigation";
import type { AnyPublicPage } from "../cms/cms-types";
import { site } from "../cms/site.js";

export type Params = Promise<{ readonly path?: readonly string[] }>;

/** The public path of a route's parameters. */
export const pathOf = (path: readonly string[] = []): string => ["", ...path, ""].join("/").replace("//", "/");

/** The public page of a route. */
export function pageAt({ path }: Awaited<Params>): AnyPublicPage {
  return site().pages.find(({ routerlink }) => routerlink === pathOf(path)) ?? notFound();
}
