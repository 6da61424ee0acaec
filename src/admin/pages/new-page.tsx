/** A new page is made of a title, for its address, and a page model, which cannot be changed later. */
import { signal } from "@preact/signals";
import { get, request } from "../api.ts";
import { labelOf } from "../fields/field-labels.ts";
import { text } from "../i18n.ts";
import { go } from "../router.ts";
import { may } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { NOT_BLANK } from "../fields/browser-messages.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { attempt } from "../ui/notices.tsx";
import { pageModels, type PageModel } from "./page-models.ts";

/** The page that a new one goes below. */
export interface PageAbove {
  readonly id: number;
  readonly title: string;
}

interface Asked {
  readonly above: PageAbove | undefined;
  readonly models: readonly PageModel[];
  /** The name of the one to begin with; "" for none. */
  readonly model: string;
}

const asked = signal<Asked | undefined>(undefined);

/** Asks for the title of a new page, which opens once it is made. Pages below one mostly have its model. */
export const askForNewPage = (above?: PageAbove): Promise<void> =>
  attempt(async () => {
    const models = await pageModels();
    const { related_name: related } = above
      ? await get<{ related_name: string }>(`pages/${above.id}/?fields=related_name`)
      : {};
    // The only model of a site is the one that its pages have.
    const model = models.length === 1 ? models[0] : models.find((each) => each.related_name === related);
    asked.value = { above, models, model: model?.name ?? "" };
  });

export const belowTitle = ({ title }: PageAbove): string => text("newPageBelowOf", { title });

/** Begins a page below the one in a row. */
export const NewPageBelow = ({ above, tabIndex }: { readonly above: PageAbove; readonly tabIndex?: number }) =>
  may("add_page") ? (
    <button
      type="button"
      class="quiet sign"
      tabIndex={tabIndex}
      title={belowTitle(above)}
      aria-label={belowTitle(above)}
      onClick={() => void askForNewPage(above)}
    >
      <Icon name="plus" />
    </button>
  ) : null;

/** Begins a page at the top of the site. */
export const NewPageButton = () =>
  may("add_page") ? (
    <button type="button" class="primary" onClick={() => void askForNewPage()}>
      {text("newPage")}
    </button>
  ) : null;

export function NewPageDialog() {
  if (!asked.value) return null;
  const { above, models, model } = asked.value;
  const close = (): void => void (asked.value = undefined);
  return (
    <FormDialog
      title={above ? belowTitle(above) : text("newPage")}
      verb={text("create")}
      onClose={close}
      onSubmit={(form) => void attempt(() => createPage(form, above).then(close))}
    >
      <label>
        {text("title")}
        <input name="title" required pattern={NOT_BLANK} />
      </label>
      {models.length > 0 && (
        <label>
          {text("model")}
          <select name="model">
            <option value="">{text("noModel")}</option>
            {models.map(({ name }) => (
              <option key={name} value={name} selected={name === model}>
                {labelOf(name)}
              </option>
            ))}
          </select>
        </label>
      )}
    </FormDialog>
  );
}

/** Opens the page that is made of the fields. @throws ApiError */
async function createPage(form: FormData, above: PageAbove | undefined): Promise<void> {
  const lang = contentLanguage.value;
  const model = form.get("model");
  const body = {
    title: String(form.get("title")).trim(),
    ...(model && { model }),
    ...(above && { parent_page: above.id }),
  };
  const { value } = await request<{ id: number }>("POST", `pages/?language=${lang}`, { body });
  go(`pages/${value.id}?lang=${lang}`);
}
