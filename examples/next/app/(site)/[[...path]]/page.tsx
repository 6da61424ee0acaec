/** Every page of the site: rendered in the build, and again after a change. */
import { staticParams } from "git-cms/next";
import { pageAt, type RouteProps } from "../../../cms/site";
import { Page } from "../../../components/page";

export const generateStaticParams = () => staticParams();

export default async function PublicPage(props: RouteProps) {
  return <Page page={await pageAt(props)} />;
}
