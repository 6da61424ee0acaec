/** Templates as JavaScript: compiled by us where we can, else by nunjucks. Either takes longer than to render a page. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import nunjucks from "nunjucks";
import { PROGRAM } from "../version.ts";
import { COMPILER, compilePlain, type Options } from "./template-compiler.ts";
import { PLAIN } from "./template-runtime.ts";

/** Keeps compiled templates, by names that say all they were compiled from. */
export interface TemplateCode {
  get(key: string): string | undefined;
  set(key: string, code: string): void;
}

/** What nunjucks keeps of a compiled template: its root and its blocks. */
export interface Compiled {
  readonly type: "code";
  readonly obj: object;
}

interface Compiling {
  readonly asyncFilters: readonly string[];
  readonly extensionsList: readonly unknown[];
  readonly opts: Options;
}

/** @returns undefined where nunjucks had better say itself what is wrong with the text, or an extension has a say in it */
export function compiledTemplate(environment: nunjucks.Environment, name: string, text: string, known?: TemplateCode): Compiled | undefined {
  const { asyncFilters, extensionsList, opts } = environment as unknown as Compiling;
  if (extensionsList.length > 0) return undefined;
  const key = createHash("sha1").update(JSON.stringify([version(), PROGRAM.version, COMPILER, name, opts, asyncFilters, text])).digest("base64url");
  try {
    let code = known?.get(key);
    if (code === undefined) {
      const { compiler } = nunjucks as unknown as { compiler: { compile(text: string, ...from: unknown[]): string } };
      code = compilePlain(text, name, opts, asyncFilters) ?? locating(compiler.compile(text, asyncFilters, extensionsList, name, opts), name);
      known?.set(key, code);
    }
    // As nunjucks does it itself with what it has compiled.
    // oxlint-disable-next-line no-new-func
    return { type: "code", obj: (new Function("plain", code) as (plain: object) => object)(PLAIN) };
  } catch {
    return undefined;
  }
}

/** What nunjucks compiled, whose failures name the template they happen in. No text in a template makes such a line. */
const locating = (code: string, name: string): string =>
  code.replaceAll(/^[ \t]*cb\(runtime\.handleError\(e, lineno, colno\)\);$/gm, () => `cb(plain.failed(e, ${JSON.stringify(name)}, lineno, colno));`);

let found: string | undefined;

/** Of nunjucks: another one may compile to something else. */
const version = (): string => (found ??= String((JSON.parse(readFileSync(createRequire(import.meta.url).resolve("nunjucks/package.json"), "utf8")) as { version: unknown }).version));
