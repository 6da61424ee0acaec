import MarkdownIt from "markdown-it";
import type { AnyPublicPage } from "../cms/cms-types";
import { articlesIn, site } from "../cms/site.js";
import { Article, ArticleList, NewestArticle } from "./article";
import { Frame } from "./frame";
import { wordsIn } from "./words";

// As the service does it: HTML in the text is shown, not used.
const parser = new MarkdownIt();

const Markdown = ({ text = "" }: { text?: string }) => (
  <div className="prose" dangerouslySetInnerHTML={{ __html: parser.render(text) }} />
);

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
  const { lead, body } = page.template_data as { lead?: string; body?: string };
  return (
    <Frame page={page}>
      <h1>{page.title}</h1>
      {lead && <p className="lead">{lead}</p>}
      {page.template_file === "pages/home.html" ? (
        <Newest language={page.language} />
      ) : page.template_file === "pages/subjects.html" ? (
        <Subjects language={page.language} />
      ) : (
        <Markdown text={body} />
      )}
    </Frame>
  );
}

function Newest({ language }: { language: string }) {
  const [first, ...earlier] = articlesIn(site().pages, language);
  return (
    <>
      {first && <NewestArticle article={first} />}
      {earlier.length > 0 && <h2>{wordsIn(language).earlier}</h2>}
      <ArticleList articles={earlier} />
    </>
  );
}

function Subjects({ language }: { language: string }) {
  const articles = articlesIn(site().pages, language);
  const tags = new Map(articles.flatMap((each) => each.tags.map(({ id, name }) => [id, name] as const)));
  return [...tags].map(([id, name]) => (
    <section key={id}>
      <h2 id={`tag-${id}`}>{name}</h2>
      <ArticleList articles={articles.filter((each) => each.tags.some((tag) => tag.id === id))} />
    </section>
  ));
}
