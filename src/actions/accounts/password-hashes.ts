/**
 * Password hashes, with scrypt. Two are computed at a time, so that many sign-ins cannot exhaust CPU and memory.
 *
 * Those of Django (PBKDF2 with SHA-256) match, too, so that accounts that were brought from there keep their passwords. They are
 * never current, so the first sign-in replaces them.
 */
import { pbkdf2, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { unavailable } from "../../errors.ts";

/** scrypt's parameters: memory is 128 * N * r bytes. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export interface Hasher {
  /** `scrypt$N$r$p$salt$hash`, the last two base64url. */
  hash(password: string): Promise<string>;
  /** null, or an unreadable hash, never matches and takes the same time as any other. */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** Whether a stored hash has the current parameters. */
  isCurrent(stored: string | null): boolean;
}

const COST: HashCost = { N: 2 ** 16, r: 8, p: 1 }; // about 160 ms and 64 MiB
/** Hashes computed at the same time, and requests that may wait for one. */
const RUNNING = 2;
const WAITING = 16;

/** Of stored hashes, N * r and N * r * p: 256 MiB, and eight times the work of `COST`. More would hold up all sign-ins. */
const MEMORY_MAX = 2 ** 21;
const WORK_MAX = 2 ** 22;

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** @param cost of new hashes */
export function passwordHasher(cost: HashCost = COST): Hasher {
  const limited = limitConcurrency(RUNNING, WAITING);
  const dummyHash: StoredHash = { cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return writeHash({ cost, salt, hash: await limited(() => derivedKey(password, salt, cost)) });
    },
    async matches(password, stored) {
      const django = readDjangoHash(stored);
      if (django) return timingSafeEqual(await limited(() => djangoKey(password, django)), django.hash);
      const target = readHash(stored) ?? dummyHash;
      return timingSafeEqual(await limited(() => derivedKey(password, target.salt, target.cost)), target.hash);
    },
    isCurrent(stored) {
      const used = readHash(stored)?.cost;
      return used !== undefined && used.N === cost.N && used.r === cost.r && used.p === cost.p;
    },
  };
}

interface StoredHash {
  readonly cost: HashCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const writeHash = ({ cost: { N, r, p }, salt, hash }: StoredHash): string =>
  ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");

function readHash(stored: string | null): StoredHash | undefined {
  const match = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored ?? "");
  if (!match) return undefined;
  const [N, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, hash] = match.slice(4).map((part) => Buffer.from(part, "base64url")) as [Buffer, Buffer];
  const usable =
    N > 1 &&
    (N & (N - 1)) === 0 &&
    r > 0 &&
    p > 0 &&
    N * r <= MEMORY_MAX &&
    N * r * p <= WORK_MAX &&
    hash.length === HASH_BYTES;
  return usable ? { cost: { N, r, p }, salt, hash } : undefined;
}

/** Whether a stored hash is one of Django that `matches` understands. */
export const isImportedHash = (stored: string | null): boolean => readDjangoHash(stored) !== undefined;

interface DjangoHash {
  readonly iterations: number;
  readonly salt: string;
  readonly hash: Buffer;
}

/** Django's default grows by a fifth a year, to 1,200,000 in 2025; more would let one stored hash hold up all sign-ins. */
const ITERATIONS_MAX = 4_000_000;
const SALT_MAX = 128;

/** `pbkdf2_sha256$iterations$salt$hash`: the salt is text, the hash base64. */
function readDjangoHash(stored: string | null): DjangoHash | undefined {
  const [algorithm, iterations = "", salt = "", hash = "", ...others] = stored?.split("$") ?? [];
  if (algorithm !== "pbkdf2_sha256" || others.length > 0 || !/^[1-9]\d{0,6}$/.test(iterations)) return undefined;
  const bytes = Buffer.from(hash, "base64");
  const isUsable =
    Number(iterations) <= ITERATIONS_MAX && salt !== "" && salt.length <= SALT_MAX && bytes.length === HASH_BYTES;
  return isUsable ? { iterations: Number(iterations), salt, hash: bytes } : undefined;
}

/** Django hashes the password as it was sent. */
function djangoKey(password: string, { salt, iterations }: DjangoHash): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    pbkdf2(password, salt, iterations, HASH_BYTES, "sha256", (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function derivedKey(password: string, salt: Buffer, { N, r, p }: HashCost): Promise<Buffer> {
  const maxmem = 256 * N * r; // Node's default limit is half of what N = 2^16 needs
  // Keyboards differ in whether an accented letter is one code point or two.
  const text = password.normalize("NFKC");
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, { N, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/**
 * A limit on concurrent work, with a bounded first-in, first-out queue.
 *
 * @returns a function that runs work under the limit, and throws CmsError `unavailable` when the queue is full
 */
function limitConcurrency(running: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy >= running) {
      if (queue.length >= waiting) throw unavailable("Too many sign-ins at once.", "signIns");
      await new Promise<void>((resolve) => queue.push(resolve)); // the finished work passes its slot on
    } else busy++;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else busy--;
    }
  };
}
