import { readFile } from "node:fs/promises";
import { createApp, openCms } from "../../src/index.ts";

export async function makePages(root: string, picture: string) {
  const cms = await openCms(root);
  try {
    const by = { name: "Anna", email: "anna@example.org" };
    const coast = await cms.pages.create({ title: "The coast", title_it: "La costa" }, { by });
    const signal = await cms.pages.create({ title: "Fog signal", parent_page: coast.id }, { by });
    await cms.pages.update(signal.id, { title: "Nautofono" }, { by, lang: "it" });
    for (const id of [coast.id, signal.id])
      for (const lang of ["en", "it"]) await cms.pages.publish(id, { by, lang, comment: "First version" });

    const file = { name: "lamp.jpg", bytes: await readFile(picture) };
    const lamp = await cms.media.upload(file, { alt_text: "The lamp" }, { by });
    await cms.pages.saveDraft(signal.id, { description: "Heard before it is seen", og_image: lamp.id }, { by });
    const draft = await cms.pages.preview(signal.id);
    const live = await cms.pages.publish(signal.id, { by });

    const resolved = await cms.router.resolve("/it/la-costa/nautofono/");
    const rendered = await cms.render("/the-coast/fog-signal/");
    const manifest = await cms.manifest();
    const app = createApp(cms);
    const response = await app(new Request("http://localhost/api/cms/pages-router/the-coast/"));
    return { lamp, draft, live, resolved, rendered, manifest, response, payload: await response.json() };
  } finally {
    await cms.close();
  }
}
