/**
 * What new definitions of a type would do to its instances, before they are stored.
 *
 * Instances are not rewritten when their type changes: one whose data does not fit is served as it is, and refused at its
 * next write, which also drops the values of fields that are not declared any more.
 */
import { linkedSchema } from "../../store/records/block-types.ts";
import type { ErrorNode } from "../../errors.ts";
import type { Definitions } from "../../model/fields/definition.ts";
import { isObject, own, type Json } from "../../model/input/json.ts";
import type { MetaInstance, MetaType } from "../../model/records/meta.ts";
import type { Id } from "../../model/page/page.ts";
import { readData } from "../../model/records/schema.ts";
import { instancesOf } from "../../store/content/indexes/meta-index.ts";
import { hasTarget } from "../../store/content/indexes/references.ts";
import { pace } from "../../time-slices.ts";
import type { View } from "../view.ts";

const SHOWN_MAX = 20;

export interface TypeEffects {
  /** All of the type. */
  readonly instances: number;
  /** Those that are valid now, and would not be. */
  readonly invalid: number;
  /** The first of them. */
  readonly examples: readonly { readonly id: Id; readonly identifier: string; readonly errors: ErrorNode }[];
  /** Fields that would not be declared any more, with the number of instances that have a value. */
  readonly lost: readonly { readonly field: string; readonly instances: number }[];
}

/** Works in slices, so that other requests are answered meanwhile. @param schema the new definitions */
export async function typeEffects(view: View, type: MetaType, schema: Definitions): Promise<TypeEffects> {
  const options = { locales: view.locales, exists: hasTarget(view.content), mode: "stored" } as const;
  const errorsOf = (definitions: Definitions, { data }: MetaInstance): ErrorNode | undefined => {
    const read = readData(linkedSchema(view.content, definitions), data, options);
    return "errors" in read ? read.errors : undefined;
  };
  const instances = instancesOf(view.content, type);
  const lost = lostFields(type.schema, schema).map((path) => ({ path, instances: 0 }));
  const examples: TypeEffects["examples"][number][] = [];
  let invalid = 0;
  for (const instance of instances) {
    await pace();
    for (const field of lost) if (hasValue(instance.data, field.path)) field.instances++;
    const errors = errorsOf(schema, instance);
    if (!errors || errorsOf(type.schema, instance)) continue;
    invalid++;
    if (examples.length < SHOWN_MAX) examples.push({ id: instance.id, identifier: instance.identifier, errors });
  }
  return {
    instances: instances.length,
    invalid,
    examples,
    lost: lost.flatMap(({ path, instances: count }) =>
      count > 0 ? [{ field: path.join("."), instances: count }] : [],
    ),
  };
}

/** Paths of fields that only the former definitions have; not those inside of another such field. */
function lostFields(before: Definitions, after: Definitions): readonly (readonly string[])[] {
  return before.flatMap(({ name, children }) => {
    const now = after.find((each) => each.name === name);
    if (!now) return [[name]];
    return children && now.children ? lostFields(children, now.children).map((path) => [name, ...path]) : [];
  });
}

/** Whether data has anything at a path, in any item of the lists on it. */
function hasValue(value: Json | undefined, path: readonly string[]): boolean {
  if (Array.isArray(value) && path.length > 0) return value.some((item: Json) => hasValue(item, path));
  const [name, ...rest] = path;
  if (name !== undefined) return isObject(value) && hasValue(own(value, name), rest);
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}
