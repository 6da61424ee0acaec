/** Talks with the keys of the browser, by a package that is loaded when it is needed. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { ApiError, request } from "../api.ts";
import { text } from "../i18n.ts";

const webauthn = () => import("@simplewebauthn/browser");

export const hasPasskeys = (): boolean => typeof PublicKeyCredential === "function";

/** Has the browser make a passkey. @returns its answer for the server */
export const makePasskey = (): Promise<unknown> =>
  asked(async () => {
    const [{ startRegistration }, { value }] = await Promise.all([
      webauthn(),
      request<PublicKeyCredentialCreationOptionsJSON>("POST", "users/current/passkeys/new/"),
    ]);
    return startRegistration({ optionsJSON: value });
  });

/** Has the browser prove a passkey that its user chooses. @returns its answer for the server */
export const usePasskey = (): Promise<unknown> =>
  asked(async () => {
    const [{ startAuthentication }, { value }] = await Promise.all([
      webauthn(),
      request<PublicKeyCredentialRequestOptionsJSON>("POST", "auth/passkey/new/"),
    ]);
    return startAuthentication({ optionsJSON: value });
  });

/** The browser has a sentence of its own for nobody, in English: that it was cancelled, or that there is none. */
async function asked(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && ["NotAllowedError", "InvalidStateError", "AbortError"].includes(error.name))
      throw new ApiError(400, text("passkeyCancelled"));
    throw error;
  }
}
