/** The texts of the screen of a page in English. */
export const PAGE_EN = {
  thisPage: "This page",
  viewPage: "View page",
  newPageBelow: "New page below",
  copyAddress: "Copy address",
  addressCopied: "The address is in the clipboard.",
  previewLink: "Preview link",
  previewLinkHint:
    "Who has the link sees the page without an account, as it will be, and the rest of the site with it.",
  previewLinkShows: "Shows the page as it will be on, or after",
  previewLinkUntil: "Works until",
  previewLinkCopied: "The link is in the clipboard.",
  copyLink: "Copy the link",
  pageSettings: "Page settings",
  created: "Created",
  unsaved: "Kept, not published",
  unsavedRecord: "Kept, not saved",
  convertSection: "Change the kind…",
  convertInto: "Change into “{type}”?",
  convertLoses: "These values have no place there, and are gone:",
  convert: "Change the kind",
} as const;
