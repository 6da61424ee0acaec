/** Where a page can be shown: by the templates of the service, and on front ends. */
import { signal } from "@preact/signals";
import { API, get } from "../../api.ts";
import type { PageState } from "../page-state.ts";

interface Sites {
  readonly has_templates: boolean;
  readonly sites: readonly { readonly url: string; readonly path: string }[];
}

export interface PreviewPlace {
  /** Its address, without what is a page's; "" for the templates of the service. */
  readonly id: string;
  readonly name: string;
  /** The address of a page there; undefined where it has none. */
  addressOf(page: PageState): URL | undefined;
}

const STORED = "git-cms.preview";

/** As it was chosen last in this browser; null: never. */
const chosen = signal(localStorage.getItem(STORED));

export const choosePlace = (id: string): void => {
  chosen.value = id;
  localStorage.setItem(STORED, id);
};

/** The place that was chosen, else the first front end that the settings name, else the templates of the service. */
export const chosenPlace = (places: readonly PreviewPlace[]): PreviewPlace | undefined =>
  places.find(({ id }) => id === chosen.value) ?? places.find(({ id }) => id !== "") ?? places[0];

/** @param ownName of the templates of the service @throws ApiError */
export async function previewPlaces(ownName: string): Promise<readonly PreviewPlace[]> {
  const { has_templates: hasTemplates, sites } = await get<Sites>("preview-sites/");
  const own: PreviewPlace = {
    id: "",
    name: ownName,
    addressOf({ collection, id, lang }) {
      return new URL(`${API}${collection}/${id}/render/?language=${encodeURIComponent(lang)}`, location.href);
    },
  };
  const others = sites.map(({ url, path }): PreviewPlace => ({
    id: url + path,
    name: new URL(url).host + path,
    addressOf(page) {
      const { routerlink } = page.record.value;
      return routerlink === null ? undefined : new URL(path + routerlink, url);
    },
  }));
  return hasTemplates || others.length === 0 ? [own, ...others] : others;
}
