import { cmsField } from "git-cms/client";
import Link from "next/link";
import type { ReactNode } from "react";
import type { PublicArticle } from "../cms/cms-types";
import { Picture } from "./picture";
import { wordsIn } from "./words";

interface Props {
  article: PublicArticle;
}

/** @param children its content */
export function Article({ article, children }: Props & { children: ReactNode }) {
  const { title, description, highlight_image, tags, language } = article;
  const { subjects } = wordsIn(language);
  return (
    <article className="post">
      <header>
        <PublishedAt article={article} />
        <h1 {...cmsField(article, "title")}>{title}</h1>
        {description && <p className="lead">{description}</p>}
      </header>
      {highlight_image && (
        <div className="picture">
          <Picture media={highlight_image} sizes="(min-width: 62rem) 60rem, 100vw" isFirst />
        </div>
      )}
      {children}
      <ul className="tags">
        {tags.map(({ id, name }) => (
          <li key={id}>
            <Link href={`${subjects}#tag-${id}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </article>
  );
}

export function NewestArticle({ article }: Props) {
  const { highlight_image, routerlink, title, description } = article;
  return (
    <article className="newest">
      {highlight_image && <Picture media={highlight_image} sizes="(min-width: 44rem) 42rem, 100vw" alt="" isFirst />}
      <PublishedAt article={article} />
      <h2>
        <Link href={`${routerlink}`}>{title}</Link>
      </h2>
      <p>{description}</p>
    </article>
  );
}

export const ArticleList = ({ articles }: { articles: readonly PublicArticle[] }) => (
  <ul className="list">
    {articles.map((article) => (
      <li key={article.id}>
        {article.highlight_image && <Picture media={article.highlight_image} sizes="8rem" alt="" />}
        <div>
          <PublishedAt article={article} />
          <h3>
            <Link href={`${article.routerlink}`}>{article.title}</Link>
          </h3>
          <p>{article.description}</p>
        </div>
      </li>
    ))}
  </ul>
);

function PublishedAt({ article: { published_at, language } }: Props) {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  return published_at && <time dateTime={published_at}>{format.format(new Date(published_at))}</time>;
}
