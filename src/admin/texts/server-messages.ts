/** What the API answers, as an editor is told it. Its own texts are those of the system that its clients were written for. */

interface Told {
  /** What the API says, in one form or in several; a word in braces stands for any text. */
  readonly said: string | readonly string[];
  /** Absent: as the API says it. */
  readonly en?: string;
  readonly it: string;
}

// oxfmt-ignore
const MESSAGES: readonly Told[] = [
  { said: "There is an other page with same permalink.", en: "Another page has this address.", it: "Un’altra pagina ha già questo indirizzo." },
  { said: "This permalink is automatic. Send {flag}: false with it, or leave it out.", en: "This address follows the title: turn that off to set it.", it: "Questo indirizzo segue il titolo: disattivalo per sceglierlo." },
  { said: "Value error, choices is required when kind is '{kind}'", en: "Add at least one choice.", it: "Aggiungi almeno una scelta." },
  { said: "Value error, target_model is required when kind is '{kind}'", en: "Choose what it refers to.", it: "Scegli a che cosa si riferisce." },
  { said: "Value error, children is required when kind is '{kind}'", en: "Add at least one field.", it: "Aggiungi almeno un campo." },
  { said: "Value error, minimum is greater than maximum", en: "The smallest value is greater than the largest.", it: "Il valore minimo è maggiore del massimo." },
  { said: "Value error, min_length is greater than max_length", en: "The shortest length is greater than the longest.", it: "La lunghezza minima è maggiore della massima." },
  { said: "Value error, message is without a pattern", en: "The message needs a pattern.", it: "Il messaggio richiede un modello." },
  { said: "This does not match the pattern {pattern}.", it: "Non corrisponde al modello {pattern}." },
  { said: ["This field is required.", "Field required", "This field may not be null.", "This field may not be blank.", "String should have at least 1 character", "Input should be a text that is not empty"], en: "This field is required.", it: "Questo campo è obbligatorio." },
  { said: ["Not a valid string.", "A text is expected.", "Input should be a valid string"], en: "Enter a text.", it: "Inserisci un testo." },
  { said: "A valid number is required.", en: "Enter a number.", it: "Inserisci un numero." },
  { said: "A valid integer is required.", en: "Enter a whole number.", it: "Inserisci un numero intero." },
  { said: "Must be a valid boolean.", en: "Choose yes or no.", it: "Scegli sì o no." },
  { said: "A draft has changed since you looked at it: look at it again, then decide.", it: "Una bozza è cambiata da quando l’hai vista: guardala di nuovo, poi decidi." },
  { said: "You wrote this draft: somebody else has to approve it.", it: "Hai scritto tu questa bozza: la deve approvare qualcun altro." },
  { said: "There is nothing to propose: {rest}", en: "There is nothing to propose.", it: "Non c’è niente da proporre." },
  { said: "\"{name}\" ({language}) goes live only with {approvals} who did not write it. It has {count}.", en: "“{name}” goes live only with {approvals} who did not write it; it has {count}.", it: "“{name}” va online solo con l’approvazione di chi non l’ha scritta; ne ha {count}." },
  { said: "\"{name}\" ({language}) goes live only with {approvals} who did not write it. It was changed otherwise than by a draft: save a draft, and propose it.", it: "“{name}” va online solo con l’approvazione di chi non l’ha scritta: salva una bozza e proponila." },
  { said: "A token with this name already exists.", it: "Esiste già un token con questo nome." },
  { said: "This passkey is of another account.", it: "Questa passkey è di un altro account." },
  { said: "This passkey is known already.", it: "Questa passkey c’è già." },
  { said: "An account has at most {count} {things}.", en: "There are too many: remove one first.", it: "Sono troppi: rimuovine uno prima." },
  { said: "Accounts sign in here by {name} alone.", it: "Qui si accede solo con {name}." },
  { said: "This code does not hold.", en: "This code is not right, or was used.", it: "Il codice non è giusto, o è già stato usato." },
  { said: "This passkey does not sign in here.", it: "Questa passkey non dà accesso qui." },
  { said: "This is not the present password.", it: "Questa non è la password attuale." },
  { said: "Enter a valid email address.", it: "Inserisci un indirizzo e-mail valido." },
  { said: "Enter a valid URL that begins with http:// or https://.", en: "Enter an address that begins with https:// or http://.", it: "Inserisci un indirizzo che inizia con https:// o http://." },
  { said: "Enter a phone number of digits, spaces and {rest}", it: "Inserisci un numero di telefono: cifre, spazi e + ( ) . / -" },
  { said: "Enter a color as {form}.", it: "Inserisci un colore come {form}." },
  { said: "Time has wrong format. {rest}", en: "Enter a time.", it: "Inserisci un’ora." },
  { said: "Enter a valid username. {rest}", en: "A user name has letters, digits and @ . + - _ only.", it: "Un nome utente ha solo lettere, cifre e @ . + - _" },
  { said: "Enter a valid “slug” {rest}", en: "Only letters, digits, hyphens and underscores are allowed.", it: "Sono ammesse solo lettere, cifre, trattini e trattini bassi." },
  { said: ["Date has wrong format. {rest}", "Expected a date but got a datetime."], en: "Enter a date.", it: "Inserisci una data." },
  { said: ["Datetime has wrong format. {rest}", "Invalid datetime."], en: "Enter a date and a time.", it: "Inserisci una data e un’ora." },
  { said: "Value must be valid JSON.", en: "This cannot be read as JSON.", it: "Non è leggibile come JSON." },
  { said: ["Ensure this field has no more than {max} characters.", "String should have at most {max} characters"], en: "At most {max} characters.", it: "Al massimo {max} caratteri." },
  { said: "Ensure this field has at least {min} characters.", en: "At least {min} characters.", it: "Almeno {min} caratteri." },
  { said: "Ensure this field has no more than {max} elements.", en: "At most {max} items.", it: "Al massimo {max} elementi." },
  { said: "Ensure this field has at least {min} elements.", en: "At least {min} items.", it: "Almeno {min} elementi." },
  { said: "Ensure this value is less than or equal to {max}.", it: "Il valore deve essere minore o uguale a {max}." },
  { said: "Ensure this value is greater than or equal to {min}.", it: "Il valore deve essere maggiore o uguale a {min}." },
  { said: "\"{value}\" is not a valid choice.", en: "“{value}” is none of the choices.", it: "“{value}” non è tra le scelte." },
  { said: "Invalid pk \"{id}\" - object does not exist.", en: "What is chosen here no longer exists.", it: "Ciò che è scelto qui non esiste più." },
  { said: "Invalid pk \"{id}\" - only records {which} can be chosen.", en: "What is chosen here is none of those that can be.", it: "Ciò che è scelto qui non è tra quelli ammessi." },
  { said: "Incorrect type. {rest}", en: "Choose it again.", it: "Sceglilo di nuovo." },
  { said: "A page cannot be below itself.", it: "Una pagina non può stare sotto se stessa." },
  { said: "Unvalid parent", en: "This page cannot be the parent.", it: "Questa pagina non può essere quella superiore." },
  { said: "A permalink cannot begin with a language code.", en: "An address cannot begin with the code of a language.", it: "Un indirizzo non può iniziare con il codice di una lingua." },
  { said: "A permalink cannot begin with /{first}: other addresses of the site do.", en: "An address cannot begin with /{first}.", it: "Un indirizzo non può iniziare con /{first}." },
  { said: "The address /{first} is used by git-cms itself.", it: "L’indirizzo /{first} è usato da git-cms stesso." },
  { said: "The address {permalink} belongs to the service.", it: "L’indirizzo {permalink} appartiene al servizio." },
  { said: "Addresses below /{first} are those of a language.", it: "Gli indirizzi sotto /{first} sono quelli di una lingua." },
  { said: "Addresses below {path} belong to the media library.", it: "Gli indirizzi sotto {path} appartengono alla libreria dei media." },
  { said: "The site has static/{file} at this address.", it: "Il sito ha static/{file} a questo indirizzo." },
  { said: "Ensure no part of this path has more than {max} bytes.", en: "A part of this address is too long.", it: "Una parte di questo indirizzo è troppo lunga." },
  { said: "There is no template \"{name}\" below templates/.", it: "Non c’è un modello “{name}” in templates/." },
  { said: "There is another field named \"{name}\".", it: "C’è un altro campo di nome “{name}”." },
  { said: ["{what} with this {field} already exists.", "A user with that username already exists."], en: "This is taken already: choose another one.", it: "È già in uso: scegline un altro." },
  { said: "{what} must make a unique set.", en: "There is such a block already.", it: "Questo blocco esiste già." },
  { said: "There is a redirect from this address already.", it: "C’è già un reindirizzamento da questo indirizzo." },
  { said: "This redirect leads back to itself.", it: "Questo reindirizzamento torna a se stesso." },
  { said: "This is the address of the page \"{name}\" ({id}){rest}", en: "This is the address of the page “{name}”: move or unpublish the page first.", it: "È l’indirizzo della pagina “{name}”: prima spostala o ritirala." },
  { said: "a path that begins with one slash is expected.", it: "Inserisci un percorso che inizia con una sola barra." },
  { said: "a path of the site, or an absolute http or https URL, is expected.", it: "Inserisci un percorso del sito o un indirizzo http o https." },
  { said: "Enter a path of this site, {rest}", it: "Inserisci un percorso di questo sito, un indirizzo http o https, o per esempio mailto: o tel:." },
  { said: "Enter at most {max} small letters, {rest}", it: "Inserisci al massimo {max} lettere minuscole, cifre, trattini e trattini bassi, con una lettera o cifra all’inizio e alla fine." },
  { said: "The release has no items.", it: "Il rilascio è vuoto." },
  { said: "The release changes nothing.", it: "Il rilascio non cambia nulla." },
  { said: "A release has at most {max} items.", it: "Un rilascio ha al massimo {max} elementi." },
  { said: "Another item is about this page and language already.", it: "Un altro elemento riguarda già questa pagina e lingua." },
  { said: "Page {id} is public in {language} and has no draft: there is nothing to schedule.", en: "There are no changes to schedule.", it: "Non ci sono modifiche da programmare." },
  { said: "Say which changes you ask for.", it: "Scrivi quali modifiche chiedi." },
  { said: "There are {count} sections, and at most {max} are allowed.", it: "Le sezioni sono {count}: al massimo {max}." },
  { said: "There are {count} sections, and at least {min} are needed.", it: "Le sezioni sono {count}: almeno {min}." },
  { said: "Menus nest at most {max} levels.", it: "Un menu ha al massimo {max} livelli." },
  { said: "A link is expected: {rest}", en: "Choose a page, or enter an address.", it: "Scegli una pagina o inserisci un indirizzo." },
  { said: "Enter the path of a template below templates/.", it: "Inserisci il percorso di un template in templates/." },
  { said: "Null and invalid characters are not allowed.", en: "This has characters that cannot be stored.", it: "Contiene caratteri che non si possono salvare." },
  { said: "There are too many preview links: {rest}", en: "There are too many preview links: end those that are not needed.", it: "I link di anteprima sono troppi: chiudi quelli che non servono." },
  { said: "The page is in the trash.", it: "La pagina è nel cestino." },
  { said: "This password is too short. It must contain at least {min} characters.", it: "La password è troppo corta: almeno {min} caratteri." },
  { said: "This password is too long. {rest}", it: "La password è troppo lunga." },
  { said: "This password is too common.", it: "La password è troppo comune." },
  { said: "This password is entirely numeric.", it: "La password ha solo cifre." },
  { said: "The password is too similar to the {name}.", it: "La password somiglia troppo ai dati dell’account." },
  { said: ["This account is disabled.", "User inactive or deleted."], en: "This account is disabled.", it: "Questo account è disattivato." },
  { said: "Unable to log in with provided credentials.", en: "The user name or the password is wrong.", it: "Il nome utente o la password non sono giusti." },
  { said: "Request was throttled. {rest}", en: "Too many attempts: wait a moment, then try again.", it: "Troppi tentativi: aspetta un momento e riprova." },
  { said: "Too many sign-ins at once.", it: "Troppi accessi insieme: riprova." },
  { said: "Authentication credentials were not provided.", en: "You are not signed in.", it: "Non hai effettuato l’accesso." },
  { said: "Your role ({role}) may not {action} {what}: only {limits}.", it: "Il tuo ruolo ({role}) non permette di {action}: solo {limits}." },
  { said: "Your role ({role}) may not {action} {what}.", it: "Il tuo ruolo ({role}) non permette di {action}." },
  { said: "None of your roles ({roles}) may {action} {what}: only {limits}.", it: "Nessuno dei tuoi ruoli ({roles}) permette di {action}: solo {limits}." },
  { said: "None of your roles ({roles}) may {action} {what}.", it: "Nessuno dei tuoi ruoli ({roles}) permette di {action}." },
  { said: "Your role ({role}) does not exist on this site, and may not {rest}", en: "Your role ({role}) does not exist on this site.", it: "Il tuo ruolo ({role}) non esiste in questo sito." },
  { said: "Only superusers may change roles.", it: "Solo gli amministratori possono cambiare i ruoli." },
  { said: "There is no role {name}. There are: {rest}", en: "There is no role {name}.", it: "Il ruolo {name} non c’è." },
  { said: "You do not have permission to perform this action.", en: "Your account may not do this.", it: "Il tuo account non può farlo." },
  { said: ["Not found.", "No {what} matches the given query."], en: "It does not exist any more.", it: "Non esiste più." },
  { said: "The file is larger than the {max} bytes allowed.", it: "Il file supera i {max} byte ammessi." },
  { said: "The request body is larger than the {max} bytes allowed.", en: "This is larger than the {max} bytes allowed.", it: "Supera i {max} byte ammessi." },
  { said: "The submitted file is empty.", en: "The file is empty.", it: "Il file è vuoto." },
  { said: "Upload a valid image. {rest}", en: "This is not a picture, or it is damaged.", it: "Non è un’immagine, o è danneggiata." },
  { said: "With same_url the new file must be of the type of the old one ({type}).", en: "The new file must be of the type of the old one: {type}.", it: "Il nuovo file deve essere dello stesso tipo di prima: {type}." },
  { said: "Ensure this filename has at most {max} characters (it has {count}).", en: "The name of the file is too long: at most {max} characters.", it: "Il nome del file è troppo lungo: al massimo {max} caratteri." },
  { said: "This is a Git LFS pointer, not the file.", it: "È un puntatore di Git LFS, non il file." },
  { said: "The file could not be stored. {rest}", en: "The file could not be stored.", it: "Il file non si è potuto salvare." },
  { said: "The submitted data was not a file. {rest}", en: "Choose a file.", it: "Scegli un file." },
  { said: "{rest}Try again.", it: "Nel frattempo è cambiato qualcosa: riprova." },
  { said: ["Internal server error.", "The service is not set up to answer this: its log says why."], en: "Something went wrong on the server; its log says what.", it: "Qualcosa è andato storto sul server: il suo log dice che cosa." },
  { said: "The service runs read-only: nothing can be written.", it: "Il servizio è in sola lettura: non si può salvare nulla." },
];

/** Words of rules in what placeholders stand for, by language. */
const WORDS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  it: [
    [/\bview\b/g, "vedere"],
    [/\bcreate\b/g, "creare"],
    [/\bedit\b/g, "modificare"],
    [/\bpublish\b/g, "pubblicare"],
    [/\btrash\b/g, "cestinare"],
    [/\bdelete\b/g, "eliminare"],
    [/\bpropose\b/g, "proporre"],
    [/\bcomment\b/g, "commentare"],
    [/\bbelow\b/g, "sotto"],
    [/\bthe fields\b/g, "i campi"],
    [/\bin the languages\b/g, "nelle lingue"],
    [/\bin the language\b/g, "nella lingua"],
    [/\bwhat is not public yet\b/g, "ciò che non è ancora pubblico"],
    [/\bwhat is public\b/g, "ciò che è pubblico"],
    [/\band\b/g, "e"],
    [/\bor\b/g, "o"],
  ],
};
/** The placeholders that have such words. */
const IN_WORDS = ["action", "limits"];

/** The texts that the placeholders of a pattern stand for; undefined: it does not match. */
function valuesOf(pattern: string, message: string): Readonly<Record<string, string>> | undefined {
  const parts = pattern.split(/[{}]/);
  const values: Record<string, string> = {};
  let rest = message;
  for (let at = 0; at < parts.length; at += 2) {
    const [literal, name] = [parts[at]!, parts[at - 1]];
    // What the last placeholder stands for ends where the message ends.
    const isLast = at === parts.length - 1;
    const place =
      at === 0 ? (rest.startsWith(literal) ? 0 : -1) : isLast ? rest.length - literal.length : rest.indexOf(literal);
    if (place < 0 || !rest.startsWith(literal, place)) return undefined;
    if (name !== undefined) values[name] = rest.slice(0, place);
    rest = rest.slice(place + literal.length);
  }
  return rest === "" ? values : undefined;
}

/** A message of the API in a language of the editor; what is not known stays as it is. */
export function toldMessage(message: string, language: string): string {
  for (const { said, ...told } of MESSAGES) {
    const values = [said]
      .flat()
      .map((pattern) => valuesOf(pattern, message))
      .find(Boolean);
    if (!values) continue;
    const shown = told[language as keyof typeof told] ?? told.en ?? message;
    const words = WORDS[language] ?? [];
    const valueOf = (name: string): string | undefined =>
      IN_WORDS.includes(name)
        ? words.reduce((value, [word, told]) => value.replaceAll(word, told), values[name] ?? "")
        : values[name];
    return shown.replaceAll(/\{(\w+)\}/g, (all, name: string) => valueOf(name) ?? all);
  }
  return message;
}

/** The key of a field's definition that a message of the API misses: the message belongs to its control. */
export const missedKey = (message: string): string | undefined =>
  valuesOf("Value error, {key} is required when kind is '{kind}'", message)?.key;
