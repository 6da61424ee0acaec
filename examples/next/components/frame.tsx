import Link from "next/link";
import type { ReactNode } from "react";
import type { AnyPublicPage, MenuNode } from "../cms/cms-types";
import { cms } from "../cms/site";
import { wordsIn } from "./words";

/** Head, menus and language switch around the content of a page. */
export async function Frame({ page, children }: { page: AnyPublicPage; children: ReactNode }) {
  const { language, permalink, routerlink, title, description, robots, og_image } = page;
  const words = wordsIn(language);
  const menu = await cms.menu("main", language);
  const isDraft = !page.is_public || ("has_draft" in page && page.has_draft === true);
  return (
    <>
      <title>{permalink === "/" ? words.site : `${title} · ${words.site}`}</title>
      {description && <meta name="description" content={description} />}
      {robots && <meta name="robots" content={robots} />}
      {og_image && <meta property="og:image" content={og_image.file} />}
      <a className="skip" href="#main">
        {words.skip}
      </a>
      {isDraft && <p className="draft">Draft: this is not public yet.</p>}
      <header className="top">
        <div className="wrap">
          <Link className="brand" href={words.home}>
            {words.site}
          </Link>
          <nav aria-label={words.menu}>
            <Menu nodes={menu.nodes} at={routerlink} />
          </nav>
          <nav className="languages" aria-label={words.languages}>
            <Languages page={page} />
          </nav>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="bottom">
        <div className="wrap">
          <p>{words.site}</p>
        </div>
      </footer>
    </>
  );
}

async function Languages({ page: { language, alternates } }: { page: AnyPublicPage }) {
  const addresses: Readonly<Record<string, string | null | undefined>> = alternates;
  const languages = await cms.languages();
  return (
    <ul>
      {languages.map(({ id, name }) => {
        const address = addresses[id];
        if (id === language)
          return (
            <li key={id}>
              <span aria-current="true" lang={id}>
                {name}
              </span>
            </li>
          );
        return (
          address && (
            <li key={id}>
              <Link href={address} hrefLang={id} lang={id}>
                {name}
              </Link>
            </li>
          )
        );
      })}
    </ul>
  );
}

/** @param at the address of the page that is shown */
const Menu = ({ nodes, at }: { nodes: readonly MenuNode[]; at: string | null }) => (
  <ul>
    {nodes.map(({ title, link: { url }, nodes: below = [] }) => (
      <li key={`${url} ${title}`}>
        {url ? (
          <Link href={url} aria-current={url === at ? "page" : undefined}>
            {title}
          </Link>
        ) : (
          <span>{title}</span>
        )}
        {below.length > 0 && <Menu nodes={below} at={at} />}
      </li>
    ))}
  </ul>
);
