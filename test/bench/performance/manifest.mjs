/** The change manifest after one edit and after a menu's, beside the first one after a start. */
import { timed } from "../timing.mjs";

const ROUNDS = 3;
const get = async (server) => {
  const { status, text } = await server.ask("GET", "/api/cms/pages-router/changes");
  if (status !== 200) throw new Error(`The manifest: ${status}`);
  return JSON.parse(text);
};

/** Asks for the first manifest of a server that has just started. */
export async function manifests({ server, auth, first, pages }) {
  const times = { edit: [], menu: [] };
  let before = first.value;
  for (let round = 0; round < ROUNDS; round++) {
    await write(server, auth, "PATCH", `/api/cms/pages/${1 + (1233 % pages)}/?language=en`, {
      title: `Edited ${round}`,
    });
    const edited = await timed(() => get(server));
    times.edit.push(edited.ms);
    expectMoved(before, edited.value, (count) => count >= 1 && count <= 3, "an edit");
    const title = `Menu ${round}`;
    await write(server, auth, "PATCH", `/api/cms/menus/900001/?language=en`, {
      nodes: [{ title, link: { link_type: "RE", url_node: 1 } }],
    });
    const menu = await timed(() => get(server));
    times.menu.push(menu.ms);
    if (menu.value.epoch === edited.value.epoch) throw new Error("The epoch did not move with the menu");
    before = menu.value;
  }
  const row = (subject, numbers) => ({
    subject,
    against: "the first manifest",
    ours: numbers.toSorted((a, b) => a - b)[1],
    theirs: first.ms,
    unit: "ms",
    limit: { 10_000: 0.03, 100_000: 0.01 },
  });
  return [row("manifest after one edit", times.edit), row("manifest after a menu's edit", times.menu)];
}

export const firstManifest = (server) => timed(() => get(server));

async function write(server, auth, method, path, body) {
  const { status, text } = await server.ask(method, path, body, auth);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

function expectMoved(before, after, isFine, what) {
  const hashes = new Map(before.urls.map(({ path, hash }) => [path, hash]));
  const moved = after.urls.filter(({ path, hash }) => hashes.get(path) !== hash).length;
  if (!isFine(moved)) throw new Error(`After ${what} ${moved} hashes are others`);
}
