/** Name resolution for connections that must reach public addresses only. */
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./ip-address.ts";

/** Resolves names; all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The addresses are checked as the connection is made: a name may resolve to another one each time it is asked for.
 *
 * @param refusal the error for a name without a public address
 */
export const publicOnly =
  (resolve: Resolve, refusal: (hostname: string) => Error): LookupFunction =>
  (hostname, { all }, callback) =>
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error) return callback(error, "");
      const [first, ...others] = addresses.filter(({ address }) => isPublicAddress(address));
      if (!first) return callback(refusal(hostname), "");
      if (all) callback(null, [first, ...others]);
      else callback(null, first.address, first.family);
    });
