/** The records that use files and pages, in the details of a file and before something is removed. */
import { get, type RecordLink } from "../api.ts";
import { text } from "../i18n.ts";
import { hrefOf } from "../router.ts";
import type { TextKey } from "../texts/en.ts";
import { FormDialog } from "../ui/form-dialog.tsx";

/** Models other than those of pages: the screen, if they have one, and what the records are called. */
const OTHERS: Readonly<Record<string, readonly [screen: string | undefined, kind: TextKey]>> = {
  Content: ["blocks", "blocks"],
  Menu: ["menus", "menus"],
  Redirect: ["redirects", "redirects"],
  MetaInstance: [undefined, "instances"],
  MetaType: ["types", "types"],
  PageModel: [undefined, "model"],
  BlockType: ["section-types", "sectionTypes"],
};

/** The API puts the model before the name; all redirects are one record, whose name has the addresses of all. */
function nameOf({ model, name }: RecordLink): string {
  const own = name.replace(/^\([^()]*\) /, "");
  const kind = OTHERS[model]?.[1];
  if (kind === undefined) return own;
  return model === "Redirect" ? text(kind) : `${text(kind)}: ${own}`;
}

export const UseList = ({ links }: { readonly links: readonly RecordLink[] }) => (
  <ul>
    {links.map((link) => {
      const { model, id, path } = link;
      const name = nameOf(link);
      const place = OTHERS[model] ? OTHERS[model][0] : `${model === "Article" ? "articles" : "pages"}/${id}`;
      return (
        <li key={`${model} ${id} ${path}`}>
          {place === undefined ? name : <a href={hrefOf(place)}>{name}</a>} <span class="address inline">{path}</span>
        </li>
      );
    })}
  </ul>
);

/** Pages whose uses are asked for before they are removed. */
const ASKED_MAX = 20;

/** The records that name one of some pages, each once, without the pages themselves. */
export async function usesOfPages(collection: string, ids: readonly number[]): Promise<readonly RecordLink[]> {
  const asked = ids.slice(0, ASKED_MAX).map((id) => get<{ links: readonly RecordLink[] }>(`${collection}/${id}/uses/`));
  const links = (await Promise.all(asked)).flatMap((each) => each.links);
  const others = links.filter(({ model, id }) => model in OTHERS || !ids.includes(id));
  return [...new Map(others.map((link) => [`${link.model} ${link.id}`, link])).values()];
}

interface UsesDialogProps {
  readonly title: string;
  readonly hint: string;
  /** What the button that confirms says. */
  readonly verb: string;
  readonly links: readonly RecordLink[];
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** Asks before something is removed, with what uses it. */
export const UsesDialog = ({ hint, links, ...dialog }: UsesDialogProps) => (
  <FormDialog {...dialog} isDanger>
    <p>{hint}</p>
    {links.length > 0 && <UseList links={links} />}
  </FormDialog>
);
