/** The labels of the site. A language without labels of its own has the English ones. */
const WORDS = {
  en: { site: "Second Cup", skip: "Skip to content", menu: "Main menu", languages: "Languages" },
  it: {
    site: "Seconda tazza",
    skip: "Vai al contenuto",
    menu: "Menu principale",
    languages: "Lingue",
  },
};

export const wordsIn = (/** @type {string} */ language) =>
  WORDS[/** @type {keyof typeof WORDS} */ (language)] ?? WORDS.en;
