/** What to try when a template fails, from the message of nunjucks. */
import { closest } from "../model/input/closest.ts";
import type { Templates } from "./templates.ts";

/** The names a template can use. */
export interface TemplateNames {
  readonly functions: readonly string[];
  readonly filters: readonly string[];
  readonly variables: readonly string[];
  /** Paths below `templates/`. */
  readonly templates: readonly string[];
}

/** The context of every page has these (docs/templates.md); `draft_data` is there in previews only. */
export const VARIABLES = [
  "page",
  "page_model",
  "lang",
  "languages",
  "menus",
  "settings",
  "request",
  "draft_data",
  "pagination",
];

interface Rule {
  /** Its group is the name that was not found. */
  readonly message: RegExp;
  hint(name: string, names: TemplateNames): string;
}

const RULES: readonly Rule[] = [
  { message: /Unable to call `([^`]{1,100})`/, hint: noFunction },
  { message: /filter not found: (\S{1,100})/, hint: noFilter },
  { message: /template not found: (\S{1,200})/, hint: noTemplate },
];

/** Undefined for a message that no hint is known for. @param reason of a failure of a template */
export function hintFor(reason: string, names: TemplateNames): string | undefined {
  for (const { message, hint } of RULES) {
    const name = message.exec(reason)?.[1];
    if (name !== undefined) return hint(name, names);
  }
  return undefined;
}

export function noFunction(called: string, { functions, filters, variables }: TemplateNames): string {
  if (filters.includes(called)) return `\`${called}\` is a filter: write \`value | ${called}\`.`;
  const missing = `There is no function \`${called}\`.`;
  const near = closest(called, functions);
  if (near) return `${missing} Did you mean \`${near}\`?`;
  const variable = closest(called, variables);
  return variable ? `${missing} \`${variable}\` is a variable, without parentheses: \`${variable}.name\`.` : missing;
}

export function noFilter(name: string, { filters }: TemplateNames): string {
  return `There is no filter \`${name}\`.${meant(name, filters)}`;
}

export function noTemplate(name: string, { templates }: TemplateNames): string {
  const below = "Paths begin below `templates/`, not beside the template that names them.";
  return `There is no file \`templates/${name}\`.${meant(name, templates)} ${below}`;
}

/** A suggestion, or nothing. */
export const meant = (name: string, known: readonly string[]): string => {
  const near = closest(name, known);
  return near ? ` Did you mean \`${near}\`?` : "";
};

/** The names in an environment, and the files that templates can include. */
export function namesIn({ environment, list }: Pick<Templates, "environment" | "list">): TemplateNames {
  const { globals, filters } = environment;
  return {
    functions: Object.keys(globals).sort(),
    filters: Object.keys(filters).sort(),
    variables: VARIABLES,
    templates: list(),
  };
}
