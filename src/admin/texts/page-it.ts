import type { PAGE_EN } from "./page-en.ts";

/** The texts of the screen of a page in Italian. */
export const PAGE_IT: Readonly<Record<keyof typeof PAGE_EN, string>> = {
  thisPage: "Questa pagina",
  publishAll: "Pubblica {languages}",
  viewPage: "Vedi la pagina",
  newPageBelow: "Nuova pagina sotto",
  newPageBelowOf: "Nuova pagina sotto “{title}”",
  copyAddress: "Copia l’indirizzo",
  addressCopied: "L’indirizzo è negli appunti.",
  ownTemplates: "Template del sito",
  previewPlace: "Dove si vede la pagina",
  reloadPreview: "Ricarica",
  noAddressToPreview: "La pagina non ha ancora un indirizzo a cui questo sito possa mostrarla.",
  previewSilent:
    "Questo sito non risponde, quindi non segue ciò che scrivi. Forse alla sua pagina manca il collegamento con l’editor, o non si lascia mostrare in un riquadro.",
  previewElsewhere: "L’anteprima mostra un’altra pagina: {path}",
  previewLink: "Link di anteprima",
  previewLinkHint: "Chi ha il link vede senza account la pagina come sarà, e con essa il resto del sito.",
  previewLinkShows: "Mostra la pagina come sarà il, o dopo",
  previewLinkUntil: "Vale fino al",
  previewLinkCopied: "Il link è negli appunti.",
  copyLink: "Copia il link",
  pageSettings: "Impostazioni della pagina",
  created: "Creata",
  unsaved: "Conservato, non pubblicato",
  changesToPublish: "Modifiche da pubblicare",
  unsavedRecord: "Conservato, non salvato",
  convertSection: "Cambia il tipo…",
  convertInto: "Trasformare in “{type}”?",
  convertLoses: "Questi valori lì non hanno posto, e vanno persi:",
  convert: "Cambia il tipo",
};
