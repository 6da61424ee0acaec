/**
 * The records that use a media item: pages by their image fields, and any record with the item's id in its data.
 *
 * Ids are random, so a number in free-form data that equals the id of an item is taken as a reference to it.
 */
import { globalsOf, type Id, type Page } from "../model/page.ts";
import type { MetaInstance } from "../model/meta.ts";
import type { Reader } from "../store/content/record-type.ts";
import { META_INSTANCES } from "../store/content/records/meta-instances.ts";
import { allPages } from "../store/content/indexes/page-models.ts";

/** contract.md 12.1. */
interface MediaLink {
  readonly model: string;
  readonly name: string;
  readonly id: Id;
}

/** Media links by the number found in a record. */
type Uses = ReadonlyMap<number, readonly MediaLink[]>;

const USES = new WeakMap<readonly Page[], { readonly instances: readonly MetaInstance[]; readonly uses: Uses }>();
/** Numbers in a record, which is immutable. */
const NUMBERS = new WeakMap<object, ReadonlySet<number>>();

/** All records that use an item, pages first, drafts included. */
export function mediaLinks(reader: Reader, media: Id): readonly MediaLink[] {
  const pages = allPages(reader);
  const instances = reader.all(META_INSTANCES);
  const known = USES.get(pages);
  const uses = known?.instances === instances ? known.uses : usesIn(pages, instances);
  USES.set(pages, { instances, uses });
  return uses.get(media) ?? [];
}

function usesIn(pages: readonly Page[], instances: readonly MetaInstance[]): Uses {
  const uses = new Map<number, MediaLink[]>();
  const collect = (record: object, values: () => unknown, link: MediaLink): void => {
    const numbers = NUMBERS.get(record) ?? new Set(numbersIn(values()));
    NUMBERS.set(record, numbers);
    for (const number of numbers) {
      const links = uses.get(number);
      if (links) links.push(link);
      else uses.set(number, [link]);
    }
  };
  for (const page of pages) collect(page, () => valuesOf(page), linkTo(capital(page.model), titleOf(page), page.id));
  for (const instance of instances)
    collect(
      instance,
      () => instance.data,
      linkTo("MetaInstance", instance.identifier || String(instance.id), instance.id),
    );
  return uses;
}

const linkTo = (model: string, name: string, id: Id): MediaLink => ({ model, name: `(${model}) ${name}`, id });

const capital = (model: string): string => model.charAt(0).toUpperCase() + model.slice(1);

const valuesOf = (page: Page): unknown => [
  globalsOf(page).flatMap(([{ target }, value]) => (target === "cms.Media" ? [value] : [])),
  Object.values(page.translations).map((text) => text.template_data),
  Object.values(page.drafts).map((draft) => draft.payload),
];

const titleOf = (page: Page): string =>
  Object.values(page.translations)
    .map((text) => text.title)
    .find(Boolean) ?? String(page.id);

/** All numbers in a value, at any depth. Not recursive, so that depth cannot overflow the stack. */
function* numbersIn(value: unknown): Generator<number> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "number") yield next;
    else if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
}
