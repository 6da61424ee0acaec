import { chooseLanguage, text, uiLanguage } from "../i18n.ts";

/** Chooses the language of the editor itself. */
export const LanguageMenu = () => (
  <select
    class="quiet"
    aria-label={text("editorLanguage")}
    value={uiLanguage.value}
    onChange={(event) => chooseLanguage(event.currentTarget.value)}
  >
    <option value="en">English</option>
    <option value="it">Italiano</option>
  </select>
);
