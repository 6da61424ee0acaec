/** `cms hooks test`: sends a test delivery to one hook and prints the answer. */
import type { Command } from "commander";
import { systemEnv } from "../../env.ts";
import { run, UsageError, withSite, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

export function registerHooks(program: Command, io: Io = processIo): void {
  const hooks = program.command("hooks").description("the listeners that are told of changes");
  withSiteOptions(hooks.command("test"))
    .description("send a test delivery and print the answer")
    .argument("<n>", "the number of the hook in HOOKS, from 0 on")
    .action(run(io, (number: string, flags: SiteOptions) => testHook(io, number, flags)));
}

async function testHook(io: Io, number: string, flags: SiteOptions): Promise<number> {
  const [{ keyedHooks }, { hookBodyOf: bodyOf }, { isAccepted, sendHook: send, shownUrl }] = await Promise.all([
    import("../../hooks/hooks.ts"),
    import("../../hooks/observe.ts"),
    import("../../hooks/send.ts"),
  ]);
  return withSite(flags, { env: systemEnv(), readOnly: true }, async (cms) => {
    const count = cms.config.HOOKS.length;
    if (!/^\d{1,3}$/.test(number) || Number(number) >= count)
      throw new UsageError(`There is no hook ${number}: HOOKS has ${count}, counted from 0.`);
    const hook = keyedHooks(cms.config, cms.root)[Number(number)]!;
    const { commit } = cms.store.current;
    const id = cms.env.uuid();
    const body = bodyOf({ delivery: id, event: "test", at: cms.env.now(), commit, before: commit, commits: [] });
    const { status, text } = await send(hook, { id, event: "test", body });
    // The answer must not be able to control the terminal.
    const answer = text.replace(/[^\P{Cc}\n\t]/gu, "?");
    io.stdout.write(`${status}\n${answer}${answer === "" || answer.endsWith("\n") ? "" : "\n"}`);
    if (!isAccepted(status)) say(io, flags, `${shownUrl(hook.setting.URL)} did not accept the delivery.`);
    return isAccepted(status) ? 0 : 1;
  });
}
