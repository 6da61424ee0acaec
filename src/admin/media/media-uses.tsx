/** The records that use files and pages, in the details of a file and before something is removed. */
import { get, type RecordLink } from "../api.ts";
import { hrefOf } from "../router.ts";
import { FormDialog } from "../ui/form-dialog.tsx";

/** Screens by model; those of other models than pages. */
const PLACES: Readonly<Record<string, string | undefined>> = {
  Content: "blocks",
  Menu: "menus",
  Redirect: "redirects",
  MetaInstance: undefined,
  MetaType: "types",
  PageModel: undefined,
  BlockType: "section-types",
};

export const UseList = ({ links }: { readonly links: readonly RecordLink[] }) => (
  <ul>
    {links.map(({ model, name, id, path }) => {
      const place = model in PLACES ? PLACES[model] : `${model === "Article" ? "articles" : "pages"}/${id}`;
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
  const others = links.filter(({ model, id }) => model in PLACES || !ids.includes(id));
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
