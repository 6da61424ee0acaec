/** How the own account signs in, and where it is signed in. */
import { text } from "../i18n.ts";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { OwnIdentity } from "./own-identity.tsx";
import { OwnCodes } from "./own-codes.tsx";
import { OwnPasskeys } from "./own-passkeys.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { OwnTokens } from "./own-tokens.tsx";

export const ProfileScreen = () => (
  <>
    <div class="heading">
      <ScreenTitle name={text("signInMeans")} />
    </div>
    <OwnSessions />
    <OwnPasskeys />
    <OwnCodes />
    <OwnIdentity />
    <OwnTokens />
  </>
);
