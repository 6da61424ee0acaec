import { useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../i18n.ts";
import { goWith } from "../router.ts";
import { contentLanguage, languages } from "../site.ts";

/** Whether the screen is made anew by a choice: the focus then goes to the chosen language again. */
let isChosen = false;

/** Chooses the language of the content on a screen, in its address. */
export function LanguageTabs() {
  const tabs = useRef<HTMLDivElement>(null);
  // At once: keys that are typed before the next frame go on from here.
  useLayoutEffect(() => {
    if (isChosen) tabs.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
    isChosen = false;
  }, [contentLanguage.value]);
  if (languages.value.length < 2) return null;
  const choose = (id: string): void => {
    isChosen = true;
    goWith({ lang: id }, false);
  };
  return (
    <div class="tabs" role="group" aria-label={text("language")} ref={tabs}>
      {languages.value.map(({ id, name }) => (
        <button key={id} lang={id} aria-pressed={id === contentLanguage.value} onClick={() => choose(id)}>
          {name}
        </button>
      ))}
    </div>
  );
}
