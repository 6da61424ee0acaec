/**
 * Templates as plain JavaScript: what nunjucks compiles them to, without what it needs only for templates that wait.
 *
 * nunjucks goes on in a callback after every include, import and block, and asks one function for every member and every
 * name. Here one statement follows the other, and each place where something is looked up is one of its own, so that V8
 * learns what is found there. Roots and blocks are called as nunjucks calls its own: both kinds can be mixed in a site.
 */
import { createRequire } from "node:module";
import nunjucks from "nunjucks";
import { DENIED, isInherited } from "./nunjucks-runtime.ts";

interface Node {
  readonly typename: string;
  readonly lineno: number;
  readonly colno: number;
  findAll(type: NodeType): readonly Node[];
}
type NodeType = abstract new (...parts: never[]) => Node;

interface Named extends Node {
  readonly value: string;
}
interface Lookup extends Node {
  readonly target: Node;
  readonly val: Node & { readonly value?: unknown };
}
interface Output extends Node {
  readonly children: readonly (Node & { readonly value?: string })[];
}
interface Block extends Node {
  readonly name: Named;
  readonly body: Node;
}
interface Super extends Node {
  readonly blockName: Named;
  readonly symbol: Named;
}
interface Include extends Node {
  readonly template: Node;
  readonly ignoreMissing?: boolean;
}
interface Import extends Node {
  readonly template: Node;
  readonly target: Named;
  readonly withContext?: boolean;
}
interface FromImport extends Node {
  readonly template: Node;
  readonly names: { readonly children: readonly (Named & { readonly key?: Named; readonly value: string | Named })[] };
  readonly withContext?: boolean;
}

interface Capture extends Node {
  readonly body: Node;
}

/** What is known of names while compiling. */
interface Scope {
  readonly parent?: Scope | undefined;
  readonly variables: { [name: string]: string };
  lookup(name: string): string | null | undefined;
  set(name: string, variable: string): void;
}

/** The part of nunjucks' compiler this one builds on. */
interface Base {
  buffer: string | null;
  inBlock: boolean;
  /** Of the variables so far. */
  readonly lastId: number;
  readonly throwOnUndefined?: boolean;
  _emit(code: string): void;
  _emitLine(code: string): void;
  _tmpid(): string;
  _templateName(): string;
  _compileChildren(node: Node, scope: Scope): void;
  _compileExpression(node: Node, scope: Scope): void;
  compile(node: Node, scope?: Scope): void;
  compileLiteral(node: Node, scope?: Scope): void;
  compileCapture(node: Capture, scope: Scope): void;
  compileFor(node: Node, scope: Scope): void;
  compileIf(node: Node, scope: Scope): void;
  compileSet(node: Node, scope: Scope): void;
  compileSwitch(node: Node, scope: Scope): void;
  compileFilter(node: Node, scope: Scope): void;
  _compileMacro(node: Node, scope?: Scope): string;
  compileLookupVal(node: Lookup, scope: Scope): void;
  compileOutput(node: Output, scope: Scope): void;
  getCode(): string;
}

interface Internals {
  readonly compiler: { readonly Compiler: new (name: string, throwOnUndefined?: boolean) => Base };
  readonly parser: { parse(text: string, extensions: readonly unknown[], opts: object): Node };
  readonly nodes: { readonly [name: string]: NodeType };
  readonly runtime: { readonly Frame: new (parent?: Scope) => Scope };
}

const { compiler, parser, nodes, runtime } = nunjucks as unknown as Internals;
const { transform } = createRequire(import.meta.url)("nunjucks/src/transformer.js") as { transform(tree: Node, asyncFilters: readonly string[]): Node };

/** How far from the last variable is the one in which a loop keeps how often it goes round. */
const LENGTH_ID = 2;

/** Those that may have to wait. */
const WAITING = ["FilterAsync", "IfAsync", "AsyncEach", "AsyncAll", "CallExtension", "CallExtensionAsync"] as const;

class PlainCompiler extends compiler.Compiler {
  readonly #names = new Map<string, string>();
  readonly #escapes: boolean;
  /** Variables of imports, of the function that is being compiled. */
  #declared = new Set<string>();
  /** The macro that is being compiled begins there. */
  #macro: Pick<Node, "lineno" | "colno"> = { lineno: 0, colno: 0 };

  constructor(name: string, { throwOnUndefined, autoescape }: Options) {
    super(name, throwOnUndefined);
    this.#escapes = autoescape === true;
  }

  /** A function of its own for every name: the innermost frame that has it, then the context, then what is global. */
  override getCode(): string {
    const finders = [...this.#names].map(
      ([name, finder]) => `function ${finder}(context, frame) {
for(var f = frame; f; f = f.parent) { var v = f.variables[${JSON.stringify(name)}]; if(v !== undefined) return v; }
${isInherited(name) ? "" : `v = context.ctx[${JSON.stringify(name)}]; if(v !== undefined) return v;`}
return context.lookup(${JSON.stringify(name)});
}
`,
    );
    // A name that was declared elsewhere had better fail here than be seen by other pages.
    return `"use strict";\n${finders.join("")}${super.getCode()}`;
  }

  compileSymbol({ value }: Named, scope: Scope): void {
    if (!this.#names.has(value)) this.#names.set(value, `n_${this.#names.size}`);
    this._emit(scope.lookup(value) ?? `${this.#names.get(value)}(context, frame)`);
  }

  /** `o` and `v` hold nothing for longer than it takes to look once, so one pair is enough, however deep lookups are nested. */
  override compileLookupVal(node: Lookup, scope: Scope): void {
    const key = node.val.value;
    if (!(node.val instanceof nodes.Literal!) || (typeof key !== "string" && typeof key !== "number") || DENIED.has(String(key))) return super.compileLookupVal(node, scope);
    this._emit("((o = ");
    this._compileExpression(node.target, scope);
    this._emit(`) === undefined || o === null ? undefined : typeof (v = o[${typeof key === "number" ? String(key) : JSON.stringify(key)}]) === "function" ? plain.bound(o, v) : v)`);
  }

  override compileOutput(node: Output, scope: Scope): void {
    if (!this.#escapes || this.throwOnUndefined) return super.compileOutput(node, scope);
    for (const child of node.children) {
      const isData = child instanceof nodes.TemplateData!;
      if (isData && !child.value) continue;
      if (!isData) this.#standsAt(child);
      this._emit(`${this.buffer} += ${isData ? "" : "plain.printed("}`);
      if (isData) this.compileLiteral(child, scope);
      else this.compile(child, scope);
      this._emitLine(isData ? ";" : ");");
    }
  }

  /** Where the template stands, should what follows fail. */
  #standsAt({ lineno, colno }: Node): void {
    this._emitLine(`lineno = ${lineno}, colno = ${colno};`);
  }

  override compileIf(node: Node, scope: Scope): void {
    this.#standsAt(node);
    super.compileIf(node, scope);
  }

  override compileSet(node: Node, scope: Scope): void {
    this.#standsAt(node);
    super.compileSet(node, scope);
  }

  override compileSwitch(node: Node, scope: Scope): void {
    this.#standsAt(node);
    super.compileSwitch(node, scope);
  }

  override compileFilter(node: Node, scope: Scope): void {
    this._emit(`(lineno = ${node.lineno}, colno = ${node.colno}, `);
    super.compileFilter(node, scope);
    this._emit(")");
  }

  /** What names the innermost frame gets in a loop or a macro stands there, and not where `set` would look for it. */
  override _emitLine(code: string): void {
    // A macro has temporaries of its own: it may be called while another one looks. It fails where it stands itself, in its
    // own file, and not where it is called.
    if (code === "var callerFrame = frame;") {
      const { lineno, colno } = this.#macro;
      return super._emitLine(`var callerFrame = frame, o, v, lineno = ${lineno}, colno = ${colno};\ntry {`);
    }
    if (code.startsWith("return new runtime.SafeString(")) return super._emitLine(`${code}\n} catch (e) { throw ${this.#failed()}; }`);
    super._emitLine(code.replace(/^frame\.set\("([\w$]+)", ([\w[\]]+)\);$/, 'frame.variables["$1"] = $2;'));
  }

  _emitLoopBindings(_node: Node, _list: string, at: string, length: string): void {
    this._emitLine(`plain.loop(frame.variables, ${at}, ${length});`);
  }

  #template({ template, lineno, colno }: Include | Import | FromImport, scope: Scope, ignoreMissing = false): void {
    this._emit(`(lineno = ${lineno}, colno = ${colno}, env.getTemplate(`);
    this._compileExpression(template, scope);
    this._emit(`, false, ${this._templateName()}, ${ignoreMissing}))`);
  }

  compileInclude(node: Include, scope: Scope): void {
    this._emit(`${this.buffer} += plain.included(`);
    this.#template(node, scope, node.ignoreMissing === true);
    this._emitLine(", context, frame);");
  }

  #exported(node: Import | FromImport, scope: Scope, id = this._tmpid()): string {
    this._emit(`var ${id} = plain.exported(`);
    this.#template(node, scope);
    this._emitLine(node.withContext ? ", context.getVariables(), frame);" : ");");
    return id;
  }

  /** The one that an import of that name was put into before: only one of two branches is taken, and both lead here. */
  #variable(name: string, scope: Scope): string {
    const known = scope.variables[name];
    const id = known !== undefined && this.#declared.has(known) ? known : this._tmpid();
    this.#declared.add(id);
    return id;
  }

  #known(name: string, id: string, scope: Scope): void {
    scope.set(name, id);
    this._emitLine(`${scope.parent ? "frame.set" : "context.setVariable"}(${JSON.stringify(name)}, ${id});`);
  }

  compileImport(node: Import, scope: Scope): void {
    const name = node.target.value;
    this.#known(name, this.#exported(node, scope, this.#variable(name, scope)), scope);
  }

  compileFromImport(node: FromImport, scope: Scope): void {
    const from = this.#exported(node, scope);
    for (const each of node.names.children) {
      const [name, alias] = each.key ? [each.key.value, (each.value as Named).value] : [each.value as string, each.value as string];
      const id = this.#variable(alias, scope);
      this._emitLine(`var ${id} = plain.member(${from}, ${JSON.stringify(name)});`);
      this.#known(alias, id, scope);
    }
  }

  /** A function of its own: what it declares is not there outside. */
  override compileCapture(node: Capture, scope: Scope): void {
    const inside = new runtime.Frame(scope.parent);
    Object.assign(inside.variables, scope.variables);
    this.#within(() => super.compileCapture(node, inside));
  }

  override _compileMacro(node: Node, scope?: Scope): string {
    const outer = this.#macro;
    this.#macro = node;
    try {
      return this.#within(() => super._compileMacro(node, scope));
    } finally {
      this.#macro = outer;
    }
  }

  #failed = (): string => `plain.failed(e, ${this._templateName()}, lineno, colno)`;

  #within<T>(compile: () => T): T {
    const outer = this.#declared;
    this.#declared = new Set();
    try {
      return compile();
    } finally {
      this.#declared = outer;
    }
  }

  /** The length stays undefined where there is no list, whatever it was the last time round an outer loop. */
  override compileFor(node: Node, scope: Scope): void {
    this.#standsAt(node);
    this._emitLine(`var t_${this.lastId + LENGTH_ID} = undefined;`);
    super.compileFor(node, scope);
  }

  compileBlock({ name }: Block): void {
    const block = `plain.part(context.getBlock(${JSON.stringify(name.value)}), env, context, frame, runtime)`;
    // A template that extends another one says what its blocks are, and the other where they go.
    this._emitLine(`${this.buffer} += ${this.inBlock ? block : `parentTemplate ? "" : ${block}`};`);
  }

  compileSuper({ blockName, symbol }: Super, scope: Scope): void {
    const name = blockName.value;
    this._emitLine(`var ${symbol.value} = runtime.markSafe(plain.above(context, ${JSON.stringify(name)}, b_${name}, env, frame, runtime));`);
    scope.set(symbol.value, symbol.value);
  }

  compileExtends(node: Include, scope: Scope): void {
    this._emit("parentTemplate = plain.extend(context, ");
    this.#template(node, scope);
    this._emitLine(");");
  }

  compileRoot(node: Node): void {
    const scope = new runtime.Frame();
    this.#function("root", node, () => this._compileChildren(node, scope));
    this.inBlock = true;
    const blocks = node.findAll(nodes.Block!) as readonly Block[];
    const names = blocks.map(({ name }) => name.value);
    for (const [at, block] of blocks.entries()) {
      if (names.indexOf(names[at]!) < at) throw new Error(`Block "${names[at]!}" defined more than once.`);
      this.#function(`b_${names[at]!}`, block, () => {
        this._emitLine("frame = frame.push(true);");
        this.compile(block.body, new runtime.Frame());
      });
    }
    this._emitLine(`return {${names.map((name) => `b_${name}: b_${name}, `).join("")}root: root};`);
  }

  #function(name: string, { lineno, colno }: Node, body: () => void): void {
    this.buffer = "output";
    this._emitLine(`function ${name}(env, context, frame, runtime, cb) {`);
    this._emitLine(`var lineno = ${lineno}, colno = ${colno}, output = "", parentTemplate = null, o, v;`);
    this._emitLine("try {");
    this.#within(body);
    this._emitLine(`} catch (e) { return cb(${this.#failed()}); }`);
    // What goes on from here goes wrong elsewhere.
    this._emitLine(`${name === "root" ? "if(parentTemplate) parentTemplate.rootRenderFunc(env, context, frame, runtime, cb); else " : ""}cb(null, output);`);
    this._emitLine("}");
    this.buffer = null;
  }
}

export interface Options {
  readonly autoescape?: boolean;
  readonly throwOnUndefined?: boolean;
}

/** All that what is compiled depends on, beside nunjucks, the text and the version of this program. */
export const COMPILER = [String(PlainCompiler), ...DENIED].join(" ");

/**
 * @returns the body of a function of `plain` (template-runtime.ts); undefined for what only nunjucks compiles
 * @throws what nunjucks throws of a text that is no template
 */
export function compilePlain(text: string, name: string, options: Options, asyncFilters: readonly string[]): string | undefined {
  const tree = transform(parser.parse(text, [], options), asyncFilters);
  if (WAITING.some((type) => tree.findAll(nodes[type]!).length > 0)) return undefined;
  const plain = new PlainCompiler(name, options);
  plain.compile(tree);
  return plain.getCode();
}
