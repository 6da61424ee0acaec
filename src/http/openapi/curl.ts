/** A call of an operation with curl, as its reader could type it. */
import type { OpenApi, OpenApiOperation } from "./document.ts";

/** Examples of the path parameters; others are `name`. */
const IN_PATHS: { readonly [name: string]: string } = { path: "about-us/", key: "main", id: "12", version: "5d41402a" };

/** @param document for the examples of bodies */
export function curlOf(method: string, path: string, operation: OpenApiOperation, document: OpenApi): string {
  const { security, requestBody, parameters = [] } = operation;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => IN_PATHS[name] ?? name);
  const query = parameters
    .filter((each) => each.in === "query" && each.required)
    .map(({ name, schema }) => `${name}=${String((schema.examples as unknown[] | undefined)?.[0] ?? "")}`);
  const { "application/json": body, "multipart/form-data": form } = requestBody?.content ?? {};
  return [
    `curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} "$SITE${address}${query.length > 0 ? `?${query.join("&")}` : ""}"`,
    ...(security ? ['-H "Authorization: Token $TOKEN"'] : []),
    ...(form && !body ? ["-F file=@harbour.jpg", '-F title="The harbour"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(exampleIn(body, document)))}`] : []),
  ].join(" \\\n  ");
}

/** The example of a body, as the document has it. */
function exampleIn(
  { examples, schema }: { readonly examples?: object; readonly schema: object },
  document: OpenApi,
): unknown {
  const [first] = Object.values(examples ?? {}) as { readonly $ref?: string }[];
  const name = first?.$ref?.split("/").at(-1) ?? "";
  return document.components.examples[name]?.value ?? ("type" in schema && schema.type === "array" ? [12, 13] : {});
}

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
