/** What a route takes and answers. `document.ts` makes the description of the API from it and from the rest of the route. */
import type { Schema, Schemas } from "../../schema/json-schema.ts";

/** The name of a schema in `schema/components/components.ts`, or a schema. */
export type Shape = string | Schema;

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly isRequired?: true;
  /** Whether it may be given several times. */
  readonly isRepeated?: true;
}

/** Statuses of refusals that do not follow from the route. */
export type DeclaredRefusal = 400 | 403 | 404 | 409 | 429 | 501 | 503;

export interface Operation {
  /** A few words, in the imperative. */
  readonly summary: string;
  /** What the summary does not say. Markdown. */
  readonly description?: string;
  /** Absent: there is no body. */
  readonly answer?: Shape;
  /** Of success; by default 200, or 204 without an answer. */
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** Media type of the answer; JSON by default. */
  readonly type?: string;
  /** The shape of a JSON body. */
  readonly body?: Shape;
  /** The shape of a multipart form. */
  readonly form?: Shape;
  readonly isBodyOptional?: true;
  readonly query?: readonly Parameter[];
  /** Schemas of parameters in the path, where `PATH_PARAMETERS` does not have the right one. */
  readonly path?: Schemas;
  /** The answer is a list of what `answer` says, with the parameters of lists. */
  readonly isList?: true;
  /** The parameters of lists, for an answer that has a list in it. */
  readonly isListing?: true;
  /** The answer is in the active language. */
  readonly isLocalized?: true;
  /** A record with its version as ETag; a write may name the version it was made on. */
  readonly isVersioned?: true;
  /** Takes the version of a record in its headers. A read has it as ETag; the answer of a write does not. */
  readonly isConditional?: true;
  readonly refusals?: readonly DeclaredRefusal[];
}
