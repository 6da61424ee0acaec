import type { FieldErrors } from "../api.ts";
import type { Values } from "../json.ts";
import { languages, suffixOf } from "../site.ts";

/**
 * What the API refuses, by the names that the form has: of the value of a language, the API puts the language into the name.
 *
 * @param values of the form @param isOneLanguage whether they are those of one language: `title_it` is `title`, else `title.it`
 */
export function formErrors(errors: FieldErrors, values: Values, isOneLanguage: boolean): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => {
      const [name = "", ...rest] = path.split(".");
      const nameWithout = (id: string): string => name.slice(0, -suffixOf(id).length);
      const language = languages.value.find(({ id }) => name.endsWith(suffixOf(id)) && nameWithout(id) in values);
      if (!language) return [path, messages];
      return [[nameWithout(language.id), ...(isOneLanguage ? [] : [language.id]), ...rest].join("."), messages];
    }),
  );
}
