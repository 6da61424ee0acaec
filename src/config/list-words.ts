/** The type of the setting `PAGINATION.WORDS`. */
import { isObject } from "../model/input/json.ts";
import { LIST_WORDS, listWordsOf, type ListWords } from "../model/language/locale.ts";
import { LANGUAGE_ID, settingType, type SettingType } from "./setting-types.ts";

const ADDRESS_WORD = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const WORD_SCHEMA = { type: "string", pattern: ADDRESS_WORD.source };
const WORD_NAMES = Object.keys(LIST_WORDS);

/** The words in the addresses of lists, for each of some languages; a text alone is that for `page`. */
export const addressWords: SettingType<Readonly<Record<string, string | Partial<ListWords>>>> = settingType(
  {
    type: "object",
    additionalProperties: {
      anyOf: [
        WORD_SCHEMA,
        {
          type: "object",
          properties: Object.fromEntries(WORD_NAMES.map((name) => [name, WORD_SCHEMA])),
          additionalProperties: false,
        },
      ],
    },
  },
  (value, path, report) => {
    if (!isObject(value)) return report(path, value, "a word by language, such as { it: pagina }");
    const problemWith = ([lang, sent]: [string, unknown]): string | undefined => {
      const words = isObject(sent) ? sent : { page: sent };
      const isWord = ([name, word]: [string, unknown]): boolean =>
        WORD_NAMES.includes(name) && typeof word === "string" && ADDRESS_WORD.test(word);
      if (!LANGUAGE_ID.test(lang) || !Object.entries(words).every(isWord))
        return "a language code with a word of small letters, digits and -, or with words for page, tag and author";
      const all = Object.values(listWordsOf(words as Partial<ListWords>));
      return new Set(all).size < all.length ? "different words for page, tag and author" : undefined;
    };
    const wrong = Object.entries(value).filter((each) => {
      const expected = problemWith(each);
      if (expected) report(`${path}.${each[0]}`, each[1], expected);
      return expected;
    });
    return wrong.length > 0 ? undefined : (value as Readonly<Record<string, string | Partial<ListWords>>>);
  },
);
