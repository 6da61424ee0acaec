/** How routes refuse, as the description of the API has it. */
import { ref, type Schema } from "../../schema/json-schema.ts";
import type { Route } from "../app/route.ts";

const refusal = (description: string, schema: Schema = ref("Error"), headers?: object) => ({
  description,
  ...(headers && { headers }),
  content: { "application/json": { schema } },
});

const RETRY = { "Retry-After": { description: "In seconds.", schema: { type: "integer" } } };

const BY_STATUS = {
  400: refusal("The input is not valid.", ref("FieldErrors")),
  401: refusal("There are no credentials, or they are not valid."),
  403: refusal("The account may not do this, or a session without its CSRF token."),
  404: refusal("There is no such record."),
  406: refusal("The header `Accept` excludes what there is."),
  409: refusal("The state of the content does not allow it."),
  412: refusal("The record has another version than `If-Match` names.", ref("Stale")),
  413: refusal("The body is too large."),
  415: refusal("The body has a type that is not read."),
  429: refusal("Too many attempts.", ref("Error"), RETRY),
  501: refusal("Switched off by a setting."),
  503: refusal("Nothing can be written just now.", ref("Error"), RETRY),
} as const;

type Status = keyof typeof BY_STATUS;

const nameOf = (status: Status | "default"): string => (status === "default" ? "Failure" : `Refusal${status}`);

/** By name, for `components.responses`. */
export const REFUSALS: object = {
  ...Object.fromEntries(
    Object.entries(BY_STATUS).map(([status, response]) => [nameOf(Number(status) as Status), response]),
  ),
  [nameOf("default")]: refusal("The request failed: the log of the server has the reason."),
};

/** References to the answers of a route that is refused. */
export function refusalsOf(route: Route): { readonly [status: string]: { readonly $ref: string } } {
  const statuses = [...statusesOf(route)].sort((a, b) => a - b);
  return Object.fromEntries([...statuses, "default" as const].map((status) => [String(status), reference(status)]));
}

const reference = (status: Status | "default") => ({ $ref: `#/components/responses/${nameOf(status)}` });

function statusesOf({ method, path, access, operation }: Route): ReadonlySet<Status> {
  const { body, form, query, isList, isListing, isVersioned, isConditional, refusals = [] } = operation;
  const hasBody = body !== undefined || form !== undefined;
  const isWrite = method !== "GET";
  const takesInput = hasBody || query !== undefined || isList || isListing;
  return new Set<Status>([
    401,
    406,
    // Every read takes the parameters that name other content.
    ...(isWrite ? [] : ([400, 403, 404] as const)),
    ...(takesInput ? ([400] as const) : []),
    ...(access !== "public" ? ([403] as const) : []),
    ...(/:|\*\*/.test(path) ? ([404] as const) : []),
    ...(hasBody ? ([413, 415] as const) : []),
    ...(isWrite && (isVersioned || isConditional) && operation.status !== 201 ? ([412] as const) : []),
    ...(isWrite && access !== "public" ? ([409, 503] as const) : []),
    ...refusals,
  ]);
}
