/** The stems of words by language, as Snowball's algorithms cut them: `flours` and `flour`, `farine` and `farina`. */
import { importModule } from "../../import-module.ts";
import { keptBy } from "../../memo.ts";
import type { Lang } from "../language/locale.ts";
import { fold } from "./words.ts";

/** The languages that have an algorithm, by their code. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  ...{ ar: "arabic", ca: "catalan", cs: "czech", da: "danish", de: "german", en: "english", es: "spanish" },
  ...{ eu: "basque", fi: "finnish", fr: "french", ga: "irish", hu: "hungarian", hy: "armenian", it: "italian" },
  ...{ nb: "norwegian", nl: "dutch", nn: "norwegian", no: "norwegian", pt: "portuguese", ro: "romanian" },
  ...{ ru: "russian", sl: "slovene", sv: "swedish", ta: "tamil", tr: "turkish" },
};

/** Words are stemmed again and again; above it all are forgotten. */
const KEPT_MAX = 20_000;

/** @param word folded @returns its stem; the word itself in a language without an algorithm */
export type Stem = (word: string) => string;

/** The package has no ES module. */
type Snowball = { readonly default: typeof import("snowball-stemmers") };

const STEMMERS = new Map<string, Stem>();

/** The stemmer of a language; `pt-BR` has that of `pt`. The package is loaded by the first search, not by every start. */
export async function stemmerOf(lang: Lang): Promise<Stem> {
  const algorithm = ALGORITHMS[lang.toLowerCase().split("-")[0]!];
  if (algorithm === undefined) return (word) => word;
  const { default: snowball } = await importModule<Snowball>("snowball-stemmers");
  return keptBy(STEMMERS, algorithm, () => {
    const stemmer = snowball.newStemmer(algorithm);
    const known = new Map<string, string>();
    return (word) => {
      if (known.size > KEPT_MAX) known.clear();
      // Stems of words with accents, which both have lost.
      return keptBy(known, word, (each) => fold(stemmer.stem(each)));
    };
  });
}
