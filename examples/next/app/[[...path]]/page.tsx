/** Every page of the site. In a build, those that have to be rendered. */
import { chosen } from "../../cms/incremental.js";
import { site } from "../../cms/site.js";
import { Page } from "../../components/page";
import { pageAt, type Params } from "../../components/page-at";

export const dynamicParams = false;

export function generateStaticParams() {
  const isBuild = process.env.NODE_ENV === "production";
  const paths = isBuild ? chosen().changed : site().pages.map(({ routerlink }) => `${routerlink}`);
  return paths.map((path) => ({ path: path.split("/").filter(Boolean).map(decodeURIComponent) }));
}

export default async function PublicPage({ params }: { params: Params }) {
  return <Page page={pageAt(await params)} />;
}
