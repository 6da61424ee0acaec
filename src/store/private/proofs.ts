/** `proofs.json`: what accounts prove themselves with besides their passwords: passkeys, and one-time codes. */
import { setup } from "../../errors.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/input/id.ts";
import type { Instant } from "../../model/time/instant.ts";
import { privateFile } from "./private-file.ts";

export interface Passkey {
  /** The id of the credential, base64url. */
  readonly id: string;
  readonly account: Id;
  /** base64url. */
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /** The host that it is for. */
  readonly host: string;
  readonly name: string;
  readonly created_at: Instant;
  readonly last_used_at: Instant | null;
}

export interface OneTimeCodes {
  readonly account: Id;
  /** As apps have it. */
  readonly secret: string;
  /** The step of the code that was taken last. */
  readonly last_step: number;
  /** Hashes of recovery codes that were not used. */
  readonly recovery: readonly string[];
}

export interface Proofs {
  readonly passkeys: readonly Passkey[];
  readonly codes: readonly OneTimeCodes[];
}

export interface ProofStore {
  read(): Promise<Proofs>;
  /** @throws what `change` throws */
  update<R>(change: (proofs: Proofs) => readonly [next: Proofs, result: R]): Promise<R>;
}

export const proofStore = (stateDir: string): ProofStore =>
  privateFile<Proofs>({
    dir: stateDir,
    name: "proofs.json",
    empty: { passkeys: [], codes: [] },
    parse: (raw) => {
      const { passkeys, codes }: JsonObject = isObject(raw) ? raw : {};
      return { passkeys: listIn<Passkey>(passkeys, PASSKEY), codes: listIn<OneTimeCodes>(codes, CODES) };
    },
  });

const PASSKEY = { id: "string", account: "number", public_key: "string", counter: "number", host: "string" };
const CODES = { account: "number", secret: "string", last_step: "number", recovery: "object" };

/** @throws CmsError `setup`: an entry that were left out would let its account in by the password alone */
function listIn<T>(raw: unknown, shape: Readonly<Record<string, string>>): readonly T[] {
  const isSound = (entry: unknown): boolean =>
    isObject(entry) && Object.entries(shape).every(([key, type]) => typeof entry[key] === type);
  if (!Array.isArray(raw) || !raw.every(isSound))
    throw setup("proofs.json in the private state is damaged: restore it from a backup, or remove it.");
  return raw as T[];
}
