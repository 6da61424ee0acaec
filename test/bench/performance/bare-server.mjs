/**
 * A server without a framework, as the floor of the public router and the HTML route.
 *
 *   node test/bench/performance/bare-server.mjs text|json|html|render < given.json
 *
 * `text` sends the given bytes with the given headers; `json` makes them from the object, with their hash; `html`
 * renders the template with the object, by plain nunjucks, and hashes it; both send as many headers as the service.
 * `render` only renders, for a second, and answers how often.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import nunjucks from "nunjucks";

const { text, headers, htmlHeaders, templates, template } = JSON.parse(readFileSync(0, "utf8"));
const bytes = Buffer.from(text);
const page = JSON.parse(text);
const compiled = new nunjucks.Environment(new nunjucks.FileSystemLoader(templates), {
  autoescape: true,
}).getTemplate(template, true);

const made = {
  text: () => bytes,
  json: () => JSON.stringify(page),
  html: () => compiled.render({ page }),
  render() {
    const end = performance.now() + 1000;
    let count = 0;
    for (; performance.now() < end; count++) compiled.render({ page });
    return String(count);
  },
};
/** Names and values, alternating, without those that depend on the body. */
const lastingOf = (all) => all.filter((_, at) => !["etag", "content-length"].includes(all[at - (at % 2)]));
const lasting = { json: lastingOf(headers), html: lastingOf(htmlHeaders) };
const [what] = process.argv.slice(2);

createServer((_request, response) => {
  const body = made[what]();
  if (what === "text") {
    response.writeHead(200, headers);
    response.end(body);
    return;
  }
  if (what === "json" || what === "html") {
    const etag = `"${hash("sha1", body, "hex")}"`;
    response.writeHead(200, [...lasting[what], "etag", etag, "content-length", String(Buffer.byteLength(body))]);
  }
  response.end(body);
}).listen(0, "127.0.0.1", function () {
  console.error(`http://127.0.0.1:${this.address().port}/`);
});
