/** What the editor knows of the site from its start: its name and languages. */
import { computed, signal } from "@preact/signals";
import { get } from "./api.ts";
import { route } from "./router.ts";

export interface Language {
  readonly id: string;
  readonly name: string;
}

interface Languages {
  readonly language_code: string;
  readonly languages: readonly Language[];
  /** null: it has none. */
  readonly site_name: string | null;
}

const loaded = signal<Languages>({ language_code: "", languages: [], site_name: "" });

export const languages = computed(() => loaded.value.languages);

export const siteName = computed(() => loaded.value.site_name ?? location.host);

export const defaultLanguage = computed(() => loaded.value.language_code);

/** The language of the content that is shown: that of the address, else the site's default. */
export const contentLanguage = computed(() => route.value.query.get("lang") ?? loaded.value.language_code);

export const languageName = (id: string): string => languages.value.find((each) => each.id === id)?.name ?? id;

/** In the names of fields that are of one language, such as `title_it`. */
export const suffixOf = (lang: string): string => `_${lang.replaceAll("-", "_")}`;

export async function loadSite(): Promise<void> {
  loaded.value = await get<Languages>("languages/?site_name=true");
}
