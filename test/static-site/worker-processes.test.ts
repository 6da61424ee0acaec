/** The channel to a worker that may send messages, or end, before there is a listener. */
import { EventEmitter } from "node:events";
import { beforeEach, expect, it } from "vitest";
import type { Channel } from "../../src/static-site/workers/protocol.ts";
import { channelTo } from "../../src/static-site/workers/processes.ts";

class Child extends EventEmitter {
  connected = true;
  exitCode: number | null = null;
  signalCode = null;
  send = (): boolean => true;
}

let child: Child;
let line: Channel;
let heard: unknown[];
beforeEach(() => {
  child = new Child();
  line = channelTo(child as never);
  heard = [];
});

it("keeps messages until there is a listener, in their order, and delivers them once", () => {
  child.emit("message", { contentId: "all" });
  child.emit("message", { share: "a file" }); // not part of the protocol
  child.emit("message", 2);
  line.on("message", (message) => heard.push(message));
  child.emit("message", 3);
  expect(heard).toEqual([{ contentId: "all" }, 2, 3]);
});

it.each([{ connected: false }, { exitCode: 1 }])("delivers no messages of a process that has ended (%j)", (gone) => {
  child.emit("message", { contentId: "all" });
  Object.assign(child, gone);
  line.on("message", (message) => heard.push(message));
  expect(heard).toEqual([]);
});

it("reports the end of the process", () => {
  line.on("exit", () => heard.push("gone"));
  line.on("message", (message) => heard.push(message));
  child.emit("message", 1);
  child.emit("exit", 1);
  expect(heard).toEqual([1, "gone"]);
});
