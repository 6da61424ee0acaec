/** The editor's entry: runs in the browser, a client of the public API alone. */
import { render } from "preact";
import { App } from "./app.tsx";
import { restoreSession } from "./session.ts";
import { keepFocus } from "./ui/kept-focus.ts";

keepFocus();
void restoreSession();
render(<App />, document.body);
