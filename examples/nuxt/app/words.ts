/** The labels of the site, and the addresses that pages link to by themselves. A language without labels of its own has the English ones. */
const WORDS = {
  en: {
    site: "Second Cup",
    skip: "Skip to content",
    menu: "Main menu",
    languages: "Languages",
    home: "/",
    subjects: "/subjects/",
  },
  it: {
    site: "Seconda tazza",
    skip: "Vai al contenuto",
    menu: "Menu principale",
    languages: "Lingue",
    home: "/it/",
    subjects: "/it/argomenti/",
  },
};

export const wordsIn = (language: string) => WORDS[language as keyof typeof WORDS] ?? WORDS.en;
