import { showMoment } from "../i18n.ts";
import { hrefOf } from "../router.ts";

export interface PageLink {
  readonly id: number;
  readonly title: string | null;
  readonly lang: string;
  /** When it goes live; null: no moment is set. */
  readonly moment: string | null;
}

/** Pages in a language, each with its moment. */
export const PageLinks = ({ pages }: { pages: readonly PageLink[] }) => (
  <ul class="links">
    {pages.map(({ id, title, lang, moment }) => (
      <li key={`${id} ${lang} ${moment}`}>
        <a href={hrefOf(`pages/${id}?lang=${lang}`)}>{title || `#${id}`}</a> <span class="badge">{lang}</span>
        {moment !== null && (
          <time class="address" dateTime={moment}>
            {showMoment(moment)}
          </time>
        )}
      </li>
    ))}
  </ul>
);
