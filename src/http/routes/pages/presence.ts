/** Who else has a page open in an editor, and whether it has changed since. */
import { displayName } from "../../../model/account/account.ts";
import { showInstant } from "../../../model/time/instant.ts";
import type { Page } from "../../../model/page/page.ts";
import { ID, listOf, MOMENT, record, text, told } from "../../../schema/json-schema.ts";
import type { Kind } from "../../../store/records/record-type.ts";
import { etag, json, noContent } from "../../request/reply.ts";
import { del, post, type Access, type Call, type Route } from "../../app/route.ts";

/** @param idOf the page in the path; throws `not_found` */
export function presenceRoutes(
  path: string,
  access: Access,
  kind: Kind<Page>,
  idOf: (call: Call) => number,
): readonly Route[] {
  const at = `${path}/:id/open`;
  return [
    post(
      at,
      access,
      async (call) => {
        const { ctx } = call;
        const id = idOf(call);
        const present = ctx.presence.enter(id, call.user!.id, call.lang);
        const accounts = new Map((await ctx.accounts.store.list()).map((account) => [account.id, account]));
        const others = present.flatMap((other) => {
          const account = accounts.get(other.account);
          if (!account) return [];
          return [
            { id: account.id, name: displayName(account), language: other.lang, since: showInstant(other.since) },
          ];
        });
        return json({ version: etag(ctx.store.current.version(kind, id)), others });
      },
      {
        summary: "Tell that the account has the page open in an editor",
        description: "Repeated every 20 seconds. After 45 seconds without, the account counts as gone.",
        isLocalized: true,
        answer: record({
          version: told("The ETag of the page as it is now.", text('"5d41402abc4b2a76"')),
          others: told(
            "The other accounts that have it open, in the language they edit.",
            listOf(record({ id: ID, name: text("Anna Bianchi"), language: text("it"), since: MOMENT })),
          ),
        }),
      },
    ),
    del(
      at,
      access,
      (call) => {
        call.ctx.presence.leave(idOf(call), call.user!.id);
        return noContent();
      },
      { summary: "Tell that the account has closed the page" },
    ),
  ];
}
