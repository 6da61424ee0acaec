import { cmsField } from "git-cms/client";
import type { AnyPublicPage, SectionsData } from "../cms/cms-types";
import { Article } from "./article";
import { Frame } from "./frame";
import { Markdown } from "./markdown";
import { Sections } from "./sections";

/** @param page public, or as a preview */
export function Page({ page }: { page: AnyPublicPage }) {
  if (page.related_name === "cms_article")
    return (
      <Frame page={page}>
        <Article article={page}>
          <Markdown text={page.content} />
        </Article>
      </Frame>
    );
  // A page without a model may have a text.
  const { lead, body, sections } = page.template_data as SectionsData & { body?: string };
  return (
    <Frame page={page}>
      <h1 {...cmsField(page, "title")}>{page.title}</h1>
      {lead && (
        <p className="lead" {...cmsField(page, "template_data.lead")}>
          {lead}
        </p>
      )}
      {body && <Markdown text={body} />}
      <div className="sections">
        <Sections blocks={sections ?? []} language={page.language} />
      </div>
    </Frame>
  );
}
