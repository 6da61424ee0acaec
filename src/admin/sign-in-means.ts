/** How the site signs accounts in, and the addresses of its providers of identities. */
import { API, get } from "./api.ts";

export interface SignInMeans {
  readonly passwords: boolean;
  readonly providers: readonly { readonly name: string; readonly label: string }[];
}

export const loadSignInMeans = (): Promise<SignInMeans> => get<SignInMeans>("auth/means/");

/** Where a provider signs in, and leads back to this screen. @param isProof the person has to prove again who it is */
export function providerAddress(name: string, isProof = false): string {
  const here = new URL(location.href);
  here.searchParams.delete("sign-in"); // what became of the last one
  const query = new URLSearchParams({ next: here.pathname + here.search, ...(isProof && { proof: "1" }) });
  return `${API}auth/oidc/${name}/?${query}`;
}
