/**
 * One request in progress on each connection.
 *
 * Node hands over all requests of a chunk at once, and 64 KB hold more than two thousand pipelined ones. Here the input
 * of a connection is cut behind each head, and the parser gets the next piece when the answer to the request before it
 * has left. Meanwhile the connection is not read, so a client that does not read its answers cannot send either.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { onConnection } from "./socket.ts";
import { inTurn } from "./turns.ts";

export interface Pipelining {
  /**
   * Starts a request when those before it on its connection are answered.
   *
   * @param start returns whether its answer has left already
   */
  take(request: IncomingMessage, response: ServerResponse, start: () => boolean): void;
  /** Ignores the input that follows on a connection. @param then called when the whole requests before it are answered */
  stop(socket: Duplex, then: () => void): void;
  /** The response that is being made or sent. */
  openResponse(socket: Duplex): ServerResponse | undefined;
  /** In bytes, of input that waits for the answers before it. */
  waitingInput(socket: Socket): number;
}

export function pipelining(server: Server): Pipelining {
  const inputs = new WeakMap<Duplex, Input>();
  // Node's own listener comes first, and has attached the parser.
  onConnection(server, (socket) => {
    const [parse] = socket.listeners("data") as ((chunk: Buffer) => void)[];
    const end = socket.listeners("end").at(-1) as (() => void) | undefined;
    if (!parse || !end) throw new Error("Node's HTTP server reads its connections in another way than expected");
    const input = new Input(socket, parse, end);
    inputs.set(socket, input);
    socket.off("data", parse);
    socket.off("end", end);
    socket.on("data", (chunk) => input.receive(chunk));
    socket.on("end", () => input.end());
    socket.on("resume", () => input.resumed());
    socket.once("close", () => input.drop());
  });
  return {
    take: (request, response, start) => inputs.get(request.socket)!.take({ request, response, start }),
    stop: (socket, then) => inputs.get(socket)?.stop(then),
    openResponse: (socket) => inputs.get(socket)?.openResponse,
    waitingInput: (socket) => socket.readableLength + (inputs.get(socket)?.waiting ?? 0),
  };
}

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: () => boolean;
}

const HEAD_END = Buffer.from("\r\n\r\n");
/** In bytes: pieces of a body are no shorter, since a text may consist of empty lines. */
const BODY_PIECE_MIN = 1024;
/** An allowance for the memory of a request that waits, in bytes. */
const TURN_SIZE = 4096;

/** What has arrived on a connection. */
class Input {
  readonly #socket: Socket;
  readonly #parse: (chunk: Buffer) => void;
  readonly #end: () => void;
  /** Not parsed yet. */
  #held: Buffer | undefined;
  #open: Turn | undefined;
  /** Requests that were parsed together with the end of a body. */
  readonly #turns: Turn[] = [];
  #isPaused = false;
  #isScheduled = false;
  #isParsing = false;
  #hasEnded = false;
  #isStopped = false;
  #then: (() => void) | undefined;

  constructor(socket: Socket, parse: (chunk: Buffer) => void, end: () => void) {
    this.#socket = socket;
    this.#parse = parse;
    this.#end = end;
  }

  get waiting(): number {
    return (this.#held?.length ?? 0) + this.#turns.length * TURN_SIZE;
  }

  get openResponse(): ServerResponse | undefined {
    return this.#open?.response;
  }

  receive(chunk: Buffer): void {
    if (this.#isStopped) return;
    this.#held = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
    if (!this.#isScheduled) this.#parseNext();
  }

  /** The parser learns of the end once it has got all input. */
  end(): void {
    this.#hasEnded = true;
    if (!this.#isStopped && this.waiting === 0) this.#end();
  }

  /** Node resumes a connection whenever it has read a request. */
  resumed(): void {
    if (this.#isPaused) this.#socket.pause();
    else if (this.#held && !this.#isParsing && !this.#isScheduled) this.#parseNext();
  }

  take(turn: Turn): void {
    if (this.#open) this.#turns.push(turn);
    else this.#start(turn);
  }

  stop(then: () => void): void {
    this.#isStopped = true;
    this.#held = undefined;
    this.#then = then;
    this.#resume();
    if (!this.#open?.request.complete) this.#finish();
  }

  /** The connection is closed. */
  drop(): void {
    this.#isStopped = true;
    this.#held = undefined;
    this.#then = undefined;
    this.#turns.length = 0;
  }

  #start(turn: Turn): void {
    this.#open = turn;
    const hasLeft = turn.start();
    if (hasLeft && this.waiting === 0 && !this.#isPaused) this.#open = undefined;
    else
      turn.response.once("close", () => {
        this.#open = undefined;
        if (this.waiting > 0 || this.#isPaused || this.#then) this.#schedule();
      });
  }

  /** Other connections have their turn before the next request of this one. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    inTurn(() => {
      this.#isScheduled = false;
      const turn = this.#turns.shift();
      if (turn) this.#start(turn);
      else if (this.#isStopped) this.#finish();
      else this.#parseNext();
    });
  }

  #finish(): void {
    const then = this.#then;
    this.#then = undefined;
    then?.();
  }

  /** Parses up to the next request; the body of a request in progress as far as it is read. */
  #parseNext(): void {
    while (this.#held && !this.#isWaiting() && this.#socket.writable) {
      const isBody = this.#open !== undefined;
      if (isBody) this.#resume();
      if (isBody && this.#socket.isPaused()) return; // until the part of the body that was parsed is read
      const piece = this.#cut(this.#held, isBody ? BODY_PIECE_MIN : 0);
      this.#isParsing = true;
      this.#parse(piece);
      this.#isParsing = false;
      if (!this.#open && this.#held) {
        this.#pause();
        return this.#schedule();
      }
    }
    if (this.waiting > 0) return this.#pause();
    this.#resume();
    if (this.#hasEnded && !this.#isStopped) this.#end();
  }

  /** Whether the input belongs to a later request than the one in progress. */
  #isWaiting(): boolean {
    return this.#turns.length > 0 || (this.#open !== undefined && this.#open.request.complete);
  }

  #cut(input: Buffer, min: number): Buffer {
    const at = input.indexOf(HEAD_END, min);
    const length = at < 0 ? input.length : at + HEAD_END.length;
    this.#held = length < input.length ? input.subarray(length) : undefined;
    return length < input.length ? input.subarray(0, length) : input;
  }

  #pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
  }
}
