import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError, request } from "./api.ts";
import { text } from "./i18n.ts";
import { route } from "./router.ts";
import { hasPasskeys, usePasskey } from "./profile/passkey.ts";
import { restoreSession, signIn } from "./session.ts";
import { loadSignInMeans, providerAddress } from "./sign-in-means.ts";
import { siteName } from "./site.ts";
import { Dialog } from "./ui/dialog.tsx";
import { useLoaded } from "./ui/loaded.ts";

/** @param isOver over a screen whose session has ended, which stays as it is */
export function SignIn({ isOver = false }: { isOver?: boolean }) {
  if (isOver)
    return (
      <Dialog title={text("signIn")}>
        <p>{text("sessionEnded")}</p>
        <SignInForm />
      </Dialog>
    );
  return (
    <main class="sign-in">
      <h1>{siteName.value}</h1>
      <SignInForm />
    </main>
  );
}

function SignInForm() {
  const means = useLoaded(loadSignInMeans);
  const [error, setError] = useState("");
  const byPasskey = async (): Promise<void> => {
    try {
      await request("POST", "auth/passkey/", { body: { response: await usePasskey() } });
      await restoreSession();
    } catch (failure) {
      setError(failure instanceof ApiError && failure.status > 0 ? failure.message : text("offline"));
    }
  };
  if (!means) return null;
  return (
    <>
      <Outcome />
      {means.providers.map(({ name, label }) => (
        <a key={name} class="button" href={providerAddress(name)}>
          {text("signInBy", { name: label })}
        </a>
      ))}
      {means.passwords && <PasswordForm />}
      {means.passwords && hasPasskeys() && <button onClick={() => void byPasskey()}>{text("signInByPasskey")}</button>}
      {error !== "" && <p role="alert">{error}</p>}
    </>
  );
}

/** What became of a sign-in by a provider, which led back here. */
function Outcome() {
  const told = { refused: text("signInRefused"), failed: text("signInFailed") };
  const outcome = route.value.query.get("sign-in");
  return outcome === "refused" || outcome === "failed" ? <p role="alert">{told[outcome]}</p> : null;
}

function PasswordForm() {
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  // Browsers obey `autofocus` once in a document: not after signing out, and they complain where the focus is elsewhere by then.
  useLayoutEffect(() => first.current?.focus(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await signIn(Object.fromEntries(data));
    } catch (failure) {
      if (failure instanceof ApiError && failure.fields.code) setCodeNeeded(true);
      setError(failure instanceof ApiError && failure.status > 0 ? failure.message : text("offline"));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        {text("username")}
        <input name="username" autocomplete="username" required ref={first} />
      </label>
      <label>
        {text("password")}
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      {isCodeNeeded && (
        <label>
          {text("code")}
          <input name="code" autocomplete="one-time-code" required />
        </label>
      )}
      {error !== "" && <p role="alert">{error}</p>}
      <button class="primary" aria-disabled={isBusy}>
        {text("signIn")}
      </button>
    </form>
  );
}
