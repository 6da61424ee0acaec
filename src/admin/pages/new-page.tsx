/** What a new page is made of: a title, for its address, and a page model, which cannot be changed later. */
import { request } from "../api.ts";
import { labelOf } from "../fields/field-labels.ts";
import { text } from "../i18n.ts";
import { go } from "../router.ts";
import { useLoaded } from "../ui/loaded.ts";
import { pageModels } from "./page-models.ts";

/** @param above the name of the model of the page that it goes below: pages below one are mostly alike */
export function NewPageFields({ above }: { above?: string | undefined }) {
  const models = useLoaded(pageModels) ?? [];
  return (
    <>
      <input name="title" aria-label={text("newPageTitle")} placeholder={text("newPageTitle")} required />
      {models.length > 0 && (
        <select name="model" aria-label={text("newPageModel")}>
          <option value="">{text("noModel")}</option>
          {models.map(({ name }) => (
            // The only model of a site is the one that its pages have.
            <option key={name} value={name} selected={models.length === 1 || name === above}>
              {labelOf(name)}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

/** Opens the page that is made of the fields. @throws ApiError */
export async function createPage(form: FormData, lang: string, parent?: number): Promise<void> {
  const model = form.get("model");
  const body = {
    title: String(form.get("title")).trim(),
    ...(model && { model }),
    ...(parent !== undefined && { parent_page: parent }),
  };
  const { value } = await request<{ id: number }>("POST", `pages/?language=${lang}`, { body });
  go(`pages/${value.id}?lang=${lang}`);
}
