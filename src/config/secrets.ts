/**
 * Secrets in the settings: a setting names where a secret is, and never holds it, since settings are committed and printed.
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, setup } from "../errors.ts";
import { settingType, type SettingType } from "./setting-types.ts";

/** `env:NAME`, an environment variable, or `file:PATH`, relative to the site's root. */
export type SecretSource = `env:${string}` | `file:${string}`;

/** Stands for a found value that must not be shown; its description is shown instead. */
export const HIDDEN_VALUE = Symbol("a value that is not shown");

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_BYTES = 64 * 1024;

export const secretSource: SettingType<SecretSource> = settingType(
  { type: "string", pattern: "^(env|file):." },
  (value, path, report) =>
    isSecretSource(value) ? value : report(path, HIDDEN_VALUE, "env:NAME or file:PATH, which say where the secret is"),
);

function isSecretSource(value: unknown): value is SecretSource {
  if (typeof value !== "string") return false;
  if (value.startsWith("env:")) return VARIABLE.test(value.slice("env:".length));
  return /^file:[^\0\r\n]+$/.test(value);
}

/**
 * The secret itself. A line end at the end of a file does not count.
 *
 * @param path of the setting, for the error
 * @throws CmsError `setup` when there is no such variable or file, or it is empty or too large
 */
export function readSecret(
  source: SecretSource,
  path: string,
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const [kind, name] = [source.slice(0, source.indexOf(":")), source.slice(source.indexOf(":") + 1)];
  if (kind === "file") return nonEmpty(readSecretFile(resolve(root, name), path), `the file ${name}`, path);
  const found = environment[name];
  if (found === undefined) throw setup(`${path}: the environment variable ${name} is not set.`);
  return nonEmpty(found, `the environment variable ${name}`, path);
}

function nonEmpty(text: string, name: string, path: string): string {
  if (text === "") throw setup(`${path}: ${name} is empty.`);
  return text;
}

function readSecretFile(file: string, path: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw setup(`${path}: the file ${file} cannot be read: ${messageOf(error)}`, error);
  }
}
