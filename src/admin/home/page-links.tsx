import { showMoment } from "../i18n.ts";
import { hrefOf } from "../router.ts";
import { languageName } from "../site.ts";

export interface PageLink {
  readonly id: number;
  readonly title: string | null;
  readonly lang: string;
  /** When it goes live; null: no moment is set. */
  readonly moment: string | null;
  /** Path of the screen, for records that are not pages; the kind is shown instead of the language. */
  readonly screen?: { readonly path: string; readonly kind: string };
}

/** Pages in a language, each with its moment. */
export const PageLinks = ({ pages }: { pages: readonly PageLink[] }) => (
  <ul class="links">
    {pages.map(({ id, title, lang, moment, screen }) => (
      <li key={`${id} ${lang} ${moment}`}>
        <a href={hrefOf(screen?.path ?? `pages/${id}?lang=${lang}`)}>{title || `#${id}`}</a>{" "}
        <span class="badge">{screen?.kind ?? languageName(lang)}</span>
        {moment !== null && (
          <time class="address" dateTime={moment}>
            {showMoment(moment)}
          </time>
        )}
      </li>
    ))}
  </ul>
);
