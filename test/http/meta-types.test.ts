import { describe, expect, it } from "vitest";
import { memorySite } from "../site.ts";

describe("meta types", () => {
  it("smoke", async () => {
    const site = await memorySite();
    const type = await site.api("POST", "meta-types/", { key: "faq", name: "FAQ", schema: [{ name: "question", required: true }, { name: "answer", kind: "html", translated: true }, { name: "more", kind: "permalink" }, { name: "who", kind: "ref", target_model: "auth.user" }] });
    console.log(type);
    const page = await site.page({ title: "About" }, ["en"]);
    const made = await site.api("POST", "meta-instances/", { meta_type: type.id, data: { question: "Why?", answer: { en: "x" }, more: { link_type: "RE", url_node: page.id }, who: 1 } });
    console.log(JSON.stringify(made));
    console.log((await site.ask("GET", "api:meta-instances?items=&fltr=data__question=Why?&search=x&sort=-data__question", { as: "staff" })).text);
    console.log((await site.ask("DELETE", `api:meta-types/${type.id}`, { as: "staff" })).text);
    console.log(await site.repo.read("content/meta-instances/faq/why.yaml").then((f) => new TextDecoder().decode(f!.bytes)));
    console.log(await site.repo.read("content/meta-types/faq.yaml").then((f) => new TextDecoder().decode(f!.bytes)));
    expect(1).toBe(1);
  });
});
