/** Pages with their drafts at /preview/<path>, in `next dev` only. Needs a running service: CMS_URL and CMS_TOKEN. */
import { Page } from "../../../components/page";
import type { Params } from "../../../components/page-at";
import { previewAt } from "../../../components/preview-at.dev";

export const dynamic = "force-dynamic";

export default async function Preview({ params }: { params: Params }) {
  return <Page page={await previewAt(await params)} />;
}
