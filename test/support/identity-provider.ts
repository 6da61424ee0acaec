/** A provider of OpenID Connect on loopback, at which people sign in without being asked. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { onTestFinished } from "vitest";

export interface Person {
  readonly [claim: string]: unknown;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Who is at the browser; null: nobody consents. */
  person: (Person & { readonly sub: string }) | null;
  /** How often the person had to prove who it is. */
  readonly proofs: () => number;
  close(): void;
}

/** @param redirectUris of the client `cms`, whose secret is `provider-secret`; they are read at the first request */
export async function openIdentityProvider(redirectUris: readonly string[]): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let proofs = 0;
  const made: IdentityProvider = { issuer, person: null, proofs: () => proofs, close: () => void server.close() };
  const open = (): Provider =>
    new Provider(issuer, {
      clients: [
        {
          client_id: "cms",
          client_secret: "provider-secret",
          redirect_uris: [...redirectUris],
        },
      ],
      claims: {
        openid: ["sub", "groups", "auth_time"],
        email: ["email", "email_verified"],
        profile: ["preferred_username", "given_name", "family_name"],
      },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ ...made.person, sub: id }) }),
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client!.clientId,
          accountId: ctx.oidc.session!.accountId!,
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
  let opened: Provider | undefined;
  server.on("request", (request, response) => {
    const provider = (opened ??= open());
    if (!request.url?.startsWith("/interaction/")) return void provider.callback()(request, response);
    proofs++;
    const result = made.person
      ? { login: { accountId: made.person.sub } }
      : { error: "access_denied", error_description: "Nobody is here." };
    void provider.interactionFinished(request, response, result);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return made;
}

/** A browser at the provider: follows it from an address to the one that it leads back to. */
export function browserAt(provider: IdentityProvider) {
  const cookies = new Map<string, string>();
  return async (url: string): Promise<string> => {
    for (let at = url; ;) {
      if (!at.startsWith(provider.issuer)) return at;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        if (value === "") cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      const location = answer.headers.get("location");
      if (location === null) throw new Error(`The provider answers ${answer.status}: ${await answer.text()}`);
      at = new URL(location, at).href;
    }
  };
}
