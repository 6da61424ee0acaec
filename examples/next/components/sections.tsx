import type { NestedMedia, SectionsData } from "../cms/cms-types";
import { articlesIn } from "../cms/site";
import { ArticleList, NewestArticle } from "./article";
import { Markdown } from "./markdown";
import { Picture } from "./picture";

type Block = NonNullable<SectionsData["sections"]>[number];

/** The sections of a page. Previews have hidden ones too. */
export const Sections = ({ blocks, language }: { blocks: readonly Block[]; language: string }) =>
  blocks
    .filter(({ hidden }) => !hidden)
    .map((block, at) => <Section key={block.id ?? at} block={block} language={language} />);

async function Section({ block, language }: { block: Block; language: string }) {
  // Asked for only by what lists articles, since a page is rendered again when one of them changes.
  const articles = ["newest", "entries", "subjects"].includes(block.type) ? await articlesIn(language) : [];
  switch (block.type) {
    case "newest":
      return articles[0] && <NewestArticle article={articles[0]} />;
    case "entries": {
      const tag = typeof block.tag === "object" ? block.tag?.id : block.tag;
      const after = block.after ?? 0;
      const found = articles
        .filter(({ tags }) => tag === undefined || tags.some(({ id }) => id === tag))
        .slice(after, block.count ? after + block.count : undefined);
      return (
        found.length > 0 && (
          <section>
            <Heading {...block} />
            <ArticleList articles={found} />
          </section>
        )
      );
    }
    case "subjects": {
      const tags = new Map(articles.flatMap((each) => each.tags.map(({ id, name }) => [id, name] as const)));
      return [...tags].map(([id, name]) => (
        <section key={id}>
          <h2 id={`tag-${id}`}>{name}</h2>
          <ArticleList articles={articles.filter((each) => each.tags.some((tag) => tag.id === id))} />
        </section>
      ));
    }
    case "text":
      return (
        <section>
          <Heading {...block} />
          <Markdown text={block.body} />
        </section>
      );
    case "quote":
      return (
        <figure className="quote">
          <blockquote>{block.words}</blockquote>
          {block.who && <figcaption>{block.who}</figcaption>}
        </figure>
      );
    case "note":
      return (
        <aside className="note">
          <Markdown text={block.body} />
        </aside>
      );
    case "now":
      return (
        <section>
          <Heading {...block} />
          <dl className="now">
            {block.things?.map(({ label, text }, at) => (
              <div key={at}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      );
    case "picture":
      return (
        <figure className="wide">
          <Shown media={block.picture} sizes="(min-width: 62rem) 60rem, 100vw" />
          {block.caption && <figcaption>{block.caption}</figcaption>}
        </figure>
      );
    case "gallery":
      return (
        <section className="wide">
          <Heading {...block} />
          <ul className="gallery">
            {block.pictures?.map(({ picture, caption }, at) => (
              <li key={at}>
                <Shown media={picture} sizes="(min-width: 62rem) 20rem, 100vw" />
                {caption && <p className="small">{caption}</p>}
              </li>
            ))}
          </ul>
        </section>
      );
    case "portrait":
      return (
        <section className="portrait">
          <div>
            <Shown media={block.picture} sizes="9rem" />
          </div>
          <div>
            <Heading {...block} />
            <Markdown text={block.body} />
          </div>
        </section>
      );
    case "letter":
      return (
        <section className="letter">
          <Heading {...block} />
          {block.text && <p>{block.text}</p>}
          <p>
            <a className="button" href={block.link?.url ?? undefined}>
              {block.label}
            </a>
          </p>
        </section>
      );
    case "columns":
      return (
        <div className="columns">
          <Sections blocks={block.content ?? []} language={language} />
        </div>
      );
  }
}

const Heading = ({ title }: { title?: string | null }) => title && <h2>{title}</h2>;

/** @param media the number of one that is not served */
const Shown = ({ media, sizes }: { media?: NestedMedia | number | null; sizes: string }) =>
  media && typeof media === "object" && <Picture media={media} sizes={sizes} />;
