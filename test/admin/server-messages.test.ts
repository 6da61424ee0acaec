/** What the API answers, in the words of the editor. */
import { describe, expect, it } from "vitest";
import { missedKey, toldMessage } from "../../src/admin/texts/server-messages.ts";

describe("a message of the API", () => {
  it.each<[said: string, en: string, it: string]>([
    [
      "There is an other page with same permalink.",
      "Another page has this address.",
      "Un’altra pagina ha già questo indirizzo.",
    ],
    [
      "Value error, choices is required when kind is 'select'",
      "Add at least one choice.",
      "Aggiungi almeno una scelta.",
    ],
    ["This field may not be blank.", "This field is required.", "Questo campo è obbligatorio."],
    ["Ensure this field has no more than 12 characters.", "At most 12 characters.", "Al massimo 12 caratteri."],
    [
      "Ensure this value is less than or equal to 4.",
      "Ensure this value is less than or equal to 4.",
      "Il valore deve essere minore o uguale a 4.",
    ],
    ['"a {b}" is not a valid choice.', "“a {b}” is none of the choices.", "“a {b}” non è tra le scelte."],
    [
      "menu with this key already exists.",
      "This is taken already: choose another one.",
      "È già in uso: scegline un altro.",
    ],
    [
      "Request was throttled. Expected available in 3 seconds.",
      "Too many attempts: wait a moment, then try again.",
      "Troppi tentativi: aspetta un momento e riprova.",
    ],
    [
      '"Harbour" (it) goes live only with an approval by somebody who did not write it. It has 0.',
      "“Harbour” goes live only with an approval by somebody who did not write it; it has 0.",
      "“Harbour” va online solo con l’approvazione di chi non l’ha scritta; ne ha 0.",
    ],
    [
      "Your role (Author) may not publish page 12 (it).",
      "Your role (Author) may not publish page 12 (it).",
      "Il tuo ruolo (Author) non permette di pubblicare.",
    ],
    [
      "Your role (Web) may not edit slug of page 12 (en): only below /journal and in the language it, or what is not public yet.",
      "Your role (Web) may not edit slug of page 12 (en): only below /journal and in the language it, or what is not public yet.",
      "Il tuo ruolo (Web) non permette di modificare: solo sotto /journal e nella lingua it, o ciò che non è ancora pubblico.",
    ],
    [
      'This is the address of the page "About (us)" (12), which the redirect would replace: move or unpublish the page first.',
      "This is the address of the page “About (us)”: move or unpublish the page first.",
      "È l’indirizzo della pagina “About (us)”: prima spostala o ritirala.",
    ],
    ["Said by a plugin.", "Said by a plugin.", "Said by a plugin."],
  ])("%s", (said, en, italian) => {
    expect([toldMessage(said, "en"), toldMessage(said, "it")]).toEqual([en, italian]);
  });

  it("belongs to the control that it misses", () => {
    expect(missedKey("Value error, choices is required when kind is 'select'")).toBe("choices");
    expect(missedKey("This field is required.")).toBeUndefined();
  });
});
