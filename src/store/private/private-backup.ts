/**
 * Backups of the private state: what cannot be made again, in one file that a passphrase encrypts.
 *
 *     "git-cms private state 1\n" | salt | initialisation vector | AES-256-GCM of gzipped JSON | tag
 *
 * The key is made from the passphrase by scrypt. Sessions are not in it: people sign in again. Nor are caches and what git holds.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { CmsError, setup } from "../../errors.ts";
import { isObject } from "../../model/input/json.ts";
import { diskFs, makeDirs, replaceFile } from "../git/fs.ts";
import { undefinedIf, withLock } from "./private-lock.ts";

/** Paths below the private state, and their bytes. */
export type PrivateFiles = ReadonlyMap<string, Buffer>;

const FILES = ["accounts.json", "named-tokens.json", "proofs.json", "preview-links.json", "imported-accounts.json"];
const FOLDERS = ["audit", "autosaves", "hooks"];
const IN_FOLDER = /^[A-Za-z0-9_-][\w.-]*\.jsonl?$/;

const HEAD = Buffer.from("git-cms private state 1\n");
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** 128 MB and half a second for each try of a passphrase. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
/** In bytes, when unpacked: a small file must not fill the memory. */
const UNPACKED_MAX = 1024 * 1024 * 1024;

export async function readPrivateFiles(stateDir: string): Promise<PrivateFiles> {
  const inFolders = FOLDERS.map(async (folder) => {
    const names = (await readdir(join(stateDir, folder)).catch(undefinedIf("ENOENT"))) ?? [];
    return names.filter((name) => IN_FOLDER.test(name)).map((name) => `${folder}/${name}`);
  });
  const found = new Map<string, Buffer>();
  for (const path of [...FILES, ...(await Promise.all(inFolders)).flat()]) {
    const bytes = await readFile(join(stateDir, path)).catch(undefinedIf("ENOENT"));
    if (bytes) found.set(path, bytes);
  }
  return found;
}

export async function packBackup(files: PrivateFiles, passphrase: string): Promise<Buffer> {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)];
  const named = Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString("base64")]));
  const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, salt), iv).setAAD(HEAD);
  const packed = await promisify(gzip)(JSON.stringify(named));
  return Buffer.concat([HEAD, salt, iv, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/** @throws CmsError `invalid` for what is no backup, is damaged, or has another passphrase */
export async function unpackBackup(bytes: Buffer, passphrase: string): Promise<PrivateFiles> {
  const from = HEAD.length + SALT_BYTES + IV_BYTES;
  if (!bytes.subarray(0, HEAD.length).equals(HEAD) || bytes.length < from + TAG_BYTES)
    throw new CmsError("invalid", "This file is no backup of a private state.");
  const salt = bytes.subarray(HEAD.length, HEAD.length + SALT_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", await keyOf(passphrase, salt), bytes.subarray(from - IV_BYTES, from))
    .setAAD(HEAD)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  let packed: Buffer;
  try {
    packed = Buffer.concat([decipher.update(bytes.subarray(from, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new CmsError("invalid", "The passphrase is wrong, or the backup is damaged.", { cause });
  }
  const text = await promisify(gunzip)(packed, { maxOutputLength: UNPACKED_MAX });
  const named: unknown = JSON.parse(text.toString("utf8"));
  return new Map(
    Object.entries(isObject(named) ? named : {}).map(([path, encoded]) => {
      if (!isOfBackup(path))
        throw new CmsError("invalid", `The backup has a file that is not of the private state: ${path}`);
      return [path, Buffer.from(String(encoded), "base64")];
    }),
  );
}

function isOfBackup(path: string): boolean {
  const [folder = "", name, ...rest] = path.split("/");
  if (name === undefined) return FILES.includes(path);
  return FOLDERS.includes(folder) && rest.length === 0 && IN_FOLDER.test(name);
}

/** Replaces the files of the private state that the backup has; others stay. A running server sees the new ones. */
export async function writePrivateFiles(stateDir: string, files: PrivateFiles): Promise<void> {
  await makeDirs(diskFs, stateDir, 0o700);
  // Its mode is not corrected, since CMS_STATE_DIR may name a folder that others need.
  if (process.platform !== "win32" && (await stat(stateDir)).mode & 0o077)
    throw setup(`${stateDir} is open to other users of this machine: run \`chmod 700\` on it.`);
  for (const [path, bytes] of files) {
    const [name, dir] = [path.split("/").at(-1)!, join(stateDir, ...path.split("/").slice(0, -1))];
    await makeDirs(diskFs, dir, 0o700);
    await withLock(dir, name, 5000, () => replaceFile(diskFs, join(dir, name), bytes, { mode: 0o600 }));
    await diskFs.syncDir(dir);
  }
}

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.normalize("NFC"), salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );
