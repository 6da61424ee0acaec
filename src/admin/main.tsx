/** The editor's entry: runs in the browser, a client of the public API alone. */
import { render } from "preact";
import { App } from "./app.tsx";
import { tellInWords } from "./fields/browser-messages.ts";
import { restoreSession } from "./session.ts";
import { keepFocus } from "./ui/kept-focus.ts";

keepFocus();
tellInWords();
void restoreSession();
render(<App />, document.body);
