/** The frame of every screen: signing in, navigation, and the screen that the address names. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { request } from "./api.ts";
import { askUntilReachable, isReachable } from "./connection.ts";
import { text } from "./i18n.ts";
import { maySee, Navigation, NavigationDrawer } from "./navigation.tsx";
import { NewPageDialog } from "./pages/new-page.tsx";
import { Palette, PaletteButton } from "./palette/palette.tsx";
import { ConfirmDialog } from "./profile/confirm-dialog.tsx";
import { PasswordDialog, Profile } from "./profile/profile.tsx";
import { hrefOf, route } from "./router.ts";
import { screenAt } from "./screens.tsx";
import { displayName, restoreSession, session } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { languages, loadSite, siteName } from "./site.ts";
import { DropMenu } from "./ui/drop-menu.tsx";
import { Notices, notifyFailure } from "./ui/notices.tsx";
import { isNarrow } from "./ui/viewport.ts";

const askAgain = (): Promise<unknown> =>
  session.value.state === "offline" ? restoreSession() : request("GET", "languages/", { isOnce: true });

export function App() {
  const { value } = session;
  useEffect(() => askUntilReachable(askAgain), []);
  useEffect(() => void loadSite().catch(notifyFailure), []);
  switch (value.state) {
    case "unknown":
      return null; // for less than a blink
    case "offline":
      return (
        <main class="sign-in">
          <p role="alert">{text("offline")}</p>
          <button onClick={() => void restoreSession()}>{text("tryAgain")}</button>
        </main>
      );
    case "out":
      return <SignIn />;
    default:
      return (
        <>
          <Frame userName={displayName(value.user)} />
          {value.state === "ended" && <SignIn isOver />}
        </>
      );
  }
}

function Frame({ userName }: { userName: string }) {
  return (
    <>
      <a class="skip" href="#content">
        {text("skipToContent")}
      </a>
      <header class="bar">
        {isNarrow.value && <NavigationDrawer />}
        <a class="brand" href={hrefOf("")}>
          {siteName.value}
        </a>
        {!isNarrow.value && <Navigation />}
        <PaletteButton />
        {!isNarrow.value && (
          <DropMenu name={userName} icon="person" look="account">
            <Profile />
          </DropMenu>
        )}
      </header>
      <Lost />
      <Content />
      <Palette />
      <NewPageDialog />
      <PasswordDialog />
      <ConfirmDialog />
      <Notices />
    </>
  );
}

/** What is typed meanwhile is kept by the browser, and sent once the server answers. */
const Lost = () => (
  <div class="lost" role="status">
    {!isReachable.value && <p>{text("connectionLost")}</p>}
  </div>
);

/** Another screen starts at its top, where the keyboard and a screen reader go on. */
function Content() {
  const main = useRef<HTMLElement>(null);
  const screen = route.value.segments.join("/");
  const last = useRef(screen);
  useLayoutEffect(() => {
    if (last.current === screen) return;
    last.current = screen;
    scrollTo(0, 0);
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
  }, [screen]);
  return (
    <main id="content" ref={main} tabIndex={-1}>
      <Screen />
    </main>
  );
}

/** Every screen asks for texts in a language, so none is shown before the languages of the site are known. */
function Screen() {
  const { segments } = route.value;
  if (languages.value.length === 0) return null;
  if (!maySee(segments[0] ?? "")) return <p>{text("notPermitted")}</p>;
  return (
    screenAt(segments) ?? (
      <p>
        {text("notFound")} <a href={hrefOf("pages")}>{text("backToPages")}</a>
      </p>
    )
  );
}
