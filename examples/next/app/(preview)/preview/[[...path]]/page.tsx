/** Pages with their drafts at /preview/<path>, for the editor. */
import { draftOf, type RouteProps } from "../../../../cms/site";
import { Page } from "../../../../components/page";

export const dynamic = "force-dynamic";

export default async function Preview(props: RouteProps) {
  return <Page page={await draftOf(props)} />;
}
