import { describe, expect, it } from "vitest";
import { post, type PostOptions } from "../../src/hooks/post.ts";
import type { Resolve } from "../../src/model/hooks/public-lookup.ts";
import { listener } from "./listener.ts";

const options = (more: Partial<PostOptions> = {}): PostOptions => ({
  headers: { "content-type": "application/json" },
  body: "{}",
  isPrivate: false,
  signal: new AbortController().signal,
  ...more,
});

const resolvingTo =
  (...addresses: string[]): Resolve =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

describe("post", () => {
  it("sends the body as it is, and reads the answer", async () => {
    const { url, received } = await listener((response) => response.writeHead(202).end("thanks"));
    const body = '{"title":"Perché"}';
    expect(await post(new URL(url), options({ body, isPrivate: true }))).toEqual({ status: 202, text: "thanks" });
    expect(received[0]).toMatchObject({ text: body, headers: { "content-type": "application/json" } });
  });

  it("follows no redirect", async () => {
    const other = await listener();
    const { url } = await listener((response) => response.writeHead(307, { location: other.url }).end());
    expect((await post(new URL(url), options({ isPrivate: true }))).status).toBe(307);
    expect(other.received).toEqual([]);
  });

  it("reads no more than the beginning of an endless answer", async () => {
    const { url } = await listener((response) => {
      const more = (): void =>
        void (response.write("x".repeat(10_000)) ? setImmediate(more) : response.once("drain", more));
      response.on("error", () => undefined);
      more();
    });
    expect((await post(new URL(url), options({ isPrivate: true }))).text).toHaveLength(64 * 1024);
  });

  it("ends when the listener wants to speak another protocol", async () => {
    const { url } = await listener((response) => {
      response.writeHead(101, { connection: "upgrade", upgrade: "websocket" }).flushHeaders();
    });
    expect(await post(new URL(url), options({ isPrivate: true }))).toEqual({ status: 101, text: "" });
  });

  it("ends when it is told to, also in the middle of an answer", async () => {
    const stop = new AbortController();
    const { url, after } = await listener((response) => response.write("half"));
    const answer = post(new URL(url), options({ isPrivate: true, signal: stop.signal }));
    await after(1);
    stop.abort();
    await expect(answer).rejects.toThrow("abort");
  });

  it.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "localhost"])(
    "does not reach %s",
    async (host) => {
      const { url, received } = await listener();
      const target = new URL(url);
      target.hostname = host;
      await expect(post(target, options())).rejects.toThrow("is no public address");
      expect(received).toEqual([]);
    },
  );

  it("checks what a name resolves to as it connects, so that a changed answer is of no use", async () => {
    const { url, received } = await listener();
    const target = new URL(url);
    target.hostname = "rebound.example";
    await expect(post(target, options({ resolve: resolvingTo("127.0.0.1", "::1") }))).rejects.toThrow(
      "rebound.example is no public address",
    );
    const signal = AbortSignal.abort();
    await expect(post(target, options({ resolve: resolvingTo("93.184.215.14"), signal }))).rejects.toThrow("abort");
    expect(received).toEqual([]);
  });

  it("says why there was no answer", async () => {
    const { url } = await listener((response) => response.destroy());
    await expect(post(new URL(url), options({ isPrivate: true }))).rejects.toThrow("socket hang up");
  });
});
