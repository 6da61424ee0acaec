/** What ends a request, and what ends the process: the real command, attacked and broken on purpose. */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { serve, site, tokenFor } from "./process.ts";

/** Writes bytes and closes the connection there, or leaves that to the server; resolves with what was heard. */
function send(port: number, text: string, end: "destroy" | "end" | "wait"): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(text, "latin1", () => end !== "wait" && (end === "end" ? socket.end() : socket.destroy())),
    );
    socket.on("data", (chunk) => (heard += chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
}

describe("a request ends by itself, and the process lives on,", () => {
  it("when it is no request, or its upload is cut off", async () => {
    const { dir } = site();
    const token = await tokenFor(dir);
    const server = await serve(dir, [], { token });
    const port = Number(new URL(server.url).port);
    for (const head of [
      "GET /a/../b HTTP/1.1\r\nHost: a:99999",
      "GET /%2e HTTP/1.1\r\nHost: 08",
      "GET /a\\b HTTP/1.1\r\nHost: xn--a",
      "GET /?a=' HTTP/1.1\r\nHost: [::::]",
    ]) {
      expect(await send(port, `${head}\r\n\r\n`, "wait")).toMatch(/^HTTP\/1\.1 400 /);
    }
    const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\nbytes';
    const upload = (length: number): string =>
      `POST /api/cms/media/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Token ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${form}`;
    expect(await send(port, upload(form.length), "wait")).toMatch(/^HTTP\/1\.1 400 [^]*Multipart form parse error/); // complete, but no form
    for (const end of ["end", "destroy"] as const) await send(port, upload(5000), end);
    expect((await server.ask("GET", "healthz")).status).toBe(200);
    expect(server.said()).not.toMatch(/error|\n\s+at /);
    expect(await server.stop()).toBe(0);
  });

  it("when the site's own code fails in it: one line says which request, and its id", async () => {
    const { dir } = site({ "templates/defaults/pages/default.html": "{{ missing.function() }}" });
    const server = await serve(dir);
    const answer = await server.ask("GET", "about/?secret=1");
    const id = answer.headers.get("x-request-id");
    expect([answer.status, answer.body]).toEqual([500, { detail: "Internal server error." }]);
    expect(server.said()).toContain(`error: GET /about/ (request ${id}): `);
    expect(server.said()).not.toMatch(/secret|\n\s+at /);
    expect(await server.stop()).toBe(0);
  });
});

describe("a defect outside of any request ends the process with code 1, after the writes in hand", () => {
  it.each([
    ["an exception", "setTimeout(() => { throw new Error('boom') })"],
    ["a rejection", "Promise.reject(new Error('boom'))"],
  ])("%s", async (_what, defect) => {
    const { dir, git } = site({
      "cms.config.yaml":
        "LANGUAGE_CODE: en\nLANGUAGES: { en: English, it: Italiano }\nRENDER: { PAGE: { INJECT_CONTEXT: inject.mjs } }\n",
      "inject.mjs": `export default () => { ${defect}; return {}; };\n`,
    });
    const server = await serve(dir, [], { token: await tokenFor(dir) });
    const writes = Array.from({ length: 10 }, (_, n) => server.ask("POST", "api/cms/pages/", { title: `Page ${n}` }));
    await Promise.race(writes);
    await server.ask("GET", "about/").catch(() => undefined);
    const made = (await Promise.allSettled(writes)).flatMap((each) =>
      each.status === "fulfilled" && each.value.status === 201 ? [each.value.body.identifier as string] : [],
    );
    expect(await server.ended).toBe(1);
    expect(server.said()).toMatch(/^error: A defect of the program outside of any request[^]*boom/m);
    expect(made.length).toBeGreaterThan(0);
    const files = git("ls-tree", "-r", "--name-only", "HEAD");
    expect(git("rev-list", "--count", "HEAD")).toBe(`${made.length + 1}\n`);
    expect(files.split("\n").filter((name) => name.startsWith("content/pages/"))).toHaveLength(made.length + 1);
    expect(git("status", "--porcelain")).toBe("");
    git("fsck", "--strict");
  });
});
