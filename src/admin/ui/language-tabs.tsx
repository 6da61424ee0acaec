import { text } from "../i18n.ts";
import { go, route } from "../router.ts";
import { contentLanguage, languages } from "../site.ts";

/** Chooses the language of the content on a screen, in its address. */
export function LanguageTabs() {
  if (languages.value.length < 2) return null;
  const choose = (id: string): void => {
    const { segments, query } = route.value;
    const next = new URLSearchParams(query);
    next.set("lang", id);
    go(`${segments.join("/")}?${next}`);
  };
  return (
    <div class="tabs" role="group" aria-label={text("language")}>
      {languages.value.map(({ id, name }) => (
        <button key={id} lang={id} aria-pressed={id === contentLanguage.value} onClick={() => choose(id)}>
          {name}
        </button>
      ))}
    </div>
  );
}
