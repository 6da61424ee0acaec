import { chooseLanguage, LANGUAGES, text, uiLanguage } from "../i18n.ts";

/** Chooses the language of the editor itself. */
export const LanguageMenu = () => (
  <select
    class="quiet"
    aria-label={text("editorLanguage")}
    value={uiLanguage.value}
    onChange={(event) => chooseLanguage(event.currentTarget.value)}
  >
    {Object.entries(LANGUAGES).map(([code, { name }]) => (
      <option key={code} value={code}>
        {name}
      </option>
    ))}
  </select>
);
