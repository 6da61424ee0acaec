/** The parts of nunjucks that its types leave out: environments, the parser, the compiler, what compiled code uses. */
import { createRequire } from "node:module";
import nunjucks from "nunjucks";

export interface Node {
  readonly typename: string;
  /** Names of the fields that hold nodes, lists of nodes or values. */
  readonly fields: readonly string[];
  readonly lineno: number;
  readonly colno: number;
}
export interface NodeList extends Node {
  readonly children: readonly Node[];
}
export interface Branch extends Node {
  body: Node;
  else_: Node | null;
}
export interface Switch extends Node {
  readonly cases: readonly Branch[];
  default: Node | null;
}
export interface NunjucksNamed extends Node {
  readonly value: string | NunjucksNamed;
}
export interface Import extends Node {
  readonly target: NunjucksNamed;
}
export interface FromImport extends Node {
  /** With a key where the name is followed by `as`. */
  readonly names: { readonly children: readonly (NunjucksNamed & { readonly key?: NunjucksNamed })[] };
}
export interface Macro extends Node {
  readonly name: NunjucksNamed;
}
export interface NunjucksNames {
  readonly [name: string]: unknown;
}
/** A scope of names: with their expressions while compiling, with their values at run time. */
export interface Frame<T> {
  readonly variables: Record<string, T>;
  lookup(name: string): T | undefined;
  resolve(name: string, forWrite: boolean): Frame<T> | undefined;
}
export interface NunjucksContext {
  readonly ctx: NunjucksNames;
  readonly env: { readonly globals: NunjucksNames };
}
export type Scope = Frame<string>;

/** The methods of the compiler that `nunjucks-guard.ts` overrides or calls. */
interface Compiler {
  buffer: string | null;
  _scopeClosers: string;
  readonly lastId: number;
  readonly codebuf: readonly string[];
  _emit(code: string): void;
  _emitLine(code: string): void;
  _emitFuncBegin(node: Node, name: string): void;
  _emitFuncEnd(noReturn?: boolean): void;
  _emitLoopBindings(node: Branch, list: string, index: string, length: string): void;
  _closeScopeLevels(): void;
  _compileExpression(node: Node, scope: Scope): void;
  _compileMacro(node: Node, scope?: Scope): string;
  compile(node: Node, scope?: Scope): void;
  compileFilter(node: Node, scope: Scope): void;
  compileFor(node: Branch, scope: Scope): void;
  compileFromImport(node: FromImport, scope: Scope): void;
  compileImport(node: Import, scope: Scope): void;
  compileMacro(node: Macro, scope: Scope): void;
  compileSwitch(node: Switch, scope: Scope): void;
  getCode(): string;
}
/** A template as a loader returns it in compiled form. */
export interface CompiledSource {
  readonly src: { readonly type: "code"; readonly obj: object };
  readonly path: string;
  readonly noCache: boolean;
}
interface Tables {
  readonly globals: object;
  filters: object;
  tests: object;
  getTemplate(name: unknown, ...rest: unknown[]): nunjucks.Template;
}
interface Internals {
  readonly Environment: new (
    loader: { getSource(name: string): CompiledSource | null },
    options: object,
  ) => nunjucks.Environment & Tables;
  readonly lib: { extend(into: object, from: object): object };
  readonly compiler: { readonly Compiler: new (name: string) => Compiler };
  readonly lexer: { lex(text: string, options: object): object };
  readonly nodes: Record<
    "If" | "Literal" | "NodeList",
    new (line: number, column: number, ...fields: unknown[]) => Node
  >;
  readonly parser: { readonly Parser: new (tokens: object) => Parser };
}
interface Parser {
  parseAsRoot(): Node;
}

export const { Environment, compiler, lexer, lib, nodes, parser } = nunjucks as unknown as Internals;
const load = createRequire(import.meta.url);
export const { transform } = load("nunjucks/src/transformer.js") as { transform(tree: Node): Node };
