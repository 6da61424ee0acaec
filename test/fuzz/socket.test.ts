/**
 * Bytes at the socket of the real command: requests that are invalid, endless, fragmented or pipelined. The process must
 * survive without errors, answer the valid requests in between, and not grow.
 */
import { connect } from "node:net";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { serve, site, tokenFor, type Server } from "../cli/process.ts";

/** Set by FUZZ_RUNS; FUZZ_SEED makes other requests. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const AT_ONCE = 24;
/** Milliseconds after which a connection counts as hanging; below the server's timeout for headers. */
const PATIENCE = 12_000;
/** Milliseconds a client waits for answers before it disconnects. */
const LISTENING = 40;
/** Allowed growth of memory after the first quarter of the run. */
const GROWTH_MB = 200;

/** The same numbers for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Dice = ReturnType<typeof dice>;
const oneOf = <T>(roll: Dice, all: readonly T[]): T => all[roll(all.length)]!;
const bytes = (roll: Dice, most: number): string =>
  Array.from({ length: roll(most) }, () => String.fromCharCode(roll(256))).join("");

const METHODS = [
  "GET",
  "GET",
  "GET",
  "HEAD",
  "POST",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "BREW",
  "get",
  "",
  "QUERY",
  "G\u0001T",
];
const TARGETS = [
  "/",
  "/about/",
  "/healthz",
  "/it/",
  "/media/x.png",
  "/media/../x",
  "/api/cms/",
  "/api/cms/pages/",
  "/api/cms/pages/12/",
  "/api/cms/pages-router/about/",
  "/api/cms/pages-router/changes",
  "/api/cms/media/",
  "/api/cms/tags/",
  "/api/cms/token-auth/",
  "/api/cms/auth/login/",
  "/api/cms/auth/logout/",
  "/api/cms/nowhere/",
  "/a/../b",
  "/%2e",
  "/%61pi/",
  "/a\\b",
  "/?a='",
  "/%zz",
  "/%ff",
  "//",
  "///about//",
  "*",
  "",
  "about",
  "a:80",
  "http://a/",
  "http://a:99999/x",
  "https://u:p@a/",
  "ftp://a/",
  "http://",
  "/#x",
  "/ x",
  "/%00",
  "/\u00e8",
  "/a%2fb",
  "/?language=it&items=x&page=-1",
  "/api/cms/pages/?fltr=title__regex='(a+)+$'",
  `/api/cms/pages-router/a${"/".repeat(5000)}x`,
  `/?${"a".repeat(13_000)}`,
];
const HOSTS = [
  "a",
  "localhost:8000",
  "127.0.0.1",
  "[::1]:80",
  "a:99999",
  "999.999.999.999",
  "xn--a",
  "[::::]",
  "08",
  "",
  " ",
  "a b",
  "a,b",
  "u@a",
  "\u00e8",
  "a\u0001",
  "a/b",
  "[",
  "0x7f.1",
  "a".repeat(300),
];
const HEADERS: readonly ((roll: Dice, token: string) => string)[] = [
  (_roll, token) => `Authorization: Token ${token}`,
  (roll) => `Accept: ${oneOf(roll, ["*/*", "text/html", "application/json;q=0", ",,;", "x".repeat(3000)])}`,
  (roll) => `Accept-Language: ${oneOf(roll, ["it", "*", "en;q=x", "-".repeat(3000)])}`,
  (roll) =>
    `Range: ${oneOf(roll, ["bytes=0-1", "bytes=-0", `bytes=${" ".repeat(5000)}`, `bytes=${"9".repeat(400)}-`, "x=1"])}`,
  (roll) => `Cookie: ${oneOf(roll, ["sessionid=x", "=;=;=", ";".repeat(3000), "django_language=it"])}`,
  (roll) => `If-None-Match: ${oneOf(roll, ["*", '"a"', 'W/"', '"'.repeat(3000)])}`,
  (roll) => `X-Forwarded-For: ${oneOf(roll, ["1.2.3.4", ",,,", "[::", "é"])}`,
  (roll) => `Origin: ${oneOf(roll, ["null", "http://a", "x"])}`,
  (roll) => `Connection: ${oneOf(roll, ["keep-alive", "close", "Upgrade", "x, y"])}`,
  () => "Upgrade: websocket",
  (roll) => `Expect: ${oneOf(roll, ["100-continue", "miracles"])}`,
  (roll) => `Host: ${oneOf(roll, HOSTS)}`,
  (roll) => `${bytes(roll, 10)}: ${bytes(roll, 30)}`,
  () => " folded: x",
  () => "no colon",
  (roll) => "A: b\r\n".repeat(roll(200)) + "Z: z",
];
const TYPES = [
  "application/json",
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "multipart/form-data",
  'multipart/form-data; boundary="',
  "multipart/form-data; boundary=",
  "text/plain",
  "",
  "x/y+json",
];
const FORM =
  '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nTeam\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nsome text\r\n--b--\r\n';
const BODIES = [
  '{"username":"a","password":"b"}',
  '{"title":',
  "[[[[",
  '"',
  "{}",
  "null",
  "1e999",
  '{"__proto__":{"a":1}}',
  '{"a":"\\ud800"}',
  `{"a":${"[".repeat(100)}`,
  "a=b&c=%zz",
  "&".repeat(2000),
  "\u00ff\u00fe",
  "",
  FORM,
  FORM.slice(0, 90),
  FORM.slice(0, 160),
  FORM.replace("form-data", "x"),
  FORM.replaceAll("name=", "nme="),
  FORM.replaceAll("\r\n", "\n"),
  "--b--",
  "--b\r\n\r\n",
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: ;;;\r\n\r\n--b--',
  '--b\r\nContent-Disposition: form-data; name="\r\n',
  "--b\r\nContent-Disposition: \r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b--",
  `--b\r\n${"X: y\r\n".repeat(300)}\r\n\r\n--b--`,
  `--b\r\nX: ${"y".repeat(90_000)}`,
];

/** One request, usually an invalid one. */
function request(roll: Dice, token: string): string {
  if (roll(20) === 0) return bytes(roll, 200);
  const head = [
    `${oneOf(roll, METHODS)} ${roll(8) === 0 ? bytes(roll, 30) : oneOf(roll, TARGETS)} ${oneOf(roll, ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.1.1", ""])}`,
  ];
  if (roll(8) > 0) head.push(`Host: ${roll(3) > 0 ? "a" : oneOf(roll, HOSTS)}`);
  for (let n = roll(4); n > 0; n--) head.push(oneOf(roll, HEADERS)(roll, token));
  if (roll(2) === 0) return `${head.join("\r\n")}\r\n\r\n`;
  const body = roll(8) === 0 ? bytes(roll, 300) : oneOf(roll, BODIES);
  const type = oneOf(roll, TYPES);
  if (type !== "") head.push(`Content-Type: ${type}`);
  const chunked = [
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `${body.length.toString(16)};x=${"y".repeat(roll(2) * 20_000)}\r\n${body}\r\n`,
    `zz\r\n${body}`,
    `ffffffffffff\r\n${body}`,
    `-1\r\n${body}\r\n0\r\n\r\n`,
    `${body.length.toString(16)}\r\n${body}0\r\n\r\n`,
    `0\r\nTrailer: x\r\n\r\n`,
  ];
  switch (roll(8)) {
    case 0:
      return `${[...head, "Transfer-Encoding: chunked"].join("\r\n")}\r\n\r\n${oneOf(roll, chunked)}`;
    case 1:
      return `${[...head, `Transfer-Encoding: ${oneOf(roll, ["gzip", "gzip, chunked", "chunked, chunked", "xchunked", ""])}`, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;
    case 2:
      return `${[...head, `Content-Length: ${oneOf(roll, ["-1", "x", "1e9", "99999999999999999999", String(body.length + 5), String(Math.max(0, body.length - 5)), "+3", "0x10", "200000000"])}`].join("\r\n")}\r\n\r\n${body}`;
    default:
      return `${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;
  }
}

interface Heard {
  readonly text: string;
  readonly isHanging: boolean;
}

/** Writes the pieces, then ends or destroys the connection. */
function converse(port: number, pieces: readonly string[], end: "end" | "destroy"): Promise<Heard> {
  return new Promise((resolve) => {
    let text = "";
    let isHanging = false;
    const socket = connect(port, "127.0.0.1");
    const patience = setTimeout(() => {
      isHanging = true;
      socket.destroy();
    }, PATIENCE);
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(patience);
      resolve({ text, isHanging });
    });
    const next = (at: number): void => {
      if (socket.destroyed) return;
      if (at < pieces.length) socket.write(pieces[at]!, "latin1", () => setImmediate(next, at + 1));
      else if (end === "destroy") socket.destroy();
      // A client that disconnects first gets no answer.
      else setTimeout(() => socket.end(), LISTENING);
    };
    socket.on("connect", () => next(0));
  });
}

/** Splits into up to four pieces. */
function pieces(roll: Dice, text: string): string[] {
  const cuts = Array.from({ length: roll(4) }, () => roll(text.length + 1)).sort((a, b) => a - b);
  return [0, ...cuts].map((from, at) => text.slice(from, [...cuts, text.length][at])).filter((piece) => piece !== "");
}

/** 5xx statuses that are not deliberate refusals. */
const failures = (text: string): string[] =>
  [...text.matchAll(/^HTTP\/1\.1 (5\d\d)[^]*?\r\n\r\n([^]{0,300})/gm)]
    .filter(([, status, body]) => status !== "503" || !body!.includes('{"detail":'))
    .map(([all]) => all);

/** Resident memory of a process; undefined if the system does not report it. */
function memoryMb(pid: number): number | undefined {
  if (!existsSync(`/proc/${pid}/status`)) return undefined;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

async function started(): Promise<{
  server: Server;
  port: number;
  token: string;
  dir: string;
  git: ReturnType<typeof site>["git"];
}> {
  const { dir, git } = site();
  const token = await tokenFor(dir);
  const server = await serve(dir, [], { token });
  return { server, port: Number(new URL(server.url).port), token, dir, git };
}

async function isAnswering({ server }: { server: Server }): Promise<void> {
  expect(await server.ask("GET", "about/")).toMatchObject({ status: 200, body: "<h1>About</h1>" });
}

/** No errors in the log, and no files left over. */
async function isWhole({ server, dir, git }: Awaited<ReturnType<typeof started>>): Promise<void> {
  await isAnswering({ server });
  await expect
    .poll(() => (existsSync(join(dir, ".git/cms/uploads")) ? readdirSync(join(dir, ".git/cms/uploads")) : []), {
      timeout: 5000,
    })
    .toEqual([]);
  expect(server.said()).not.toMatch(/^error|\n\s+at /m);
  expect(await server.stop()).toBe(0);
  expect(git("status", "--porcelain")).toBe("");
}

beforeAll(() => {
  expect(Number.isInteger(RUNS) && Number.isInteger(SEED)).toBe(true);
});

describe("at the socket", () => {
  it(`${RUNS} requests of invalid parts`, async () => {
    const { server, port, ...rest } = await started();
    const roll = dice(SEED);
    let [sent, early] = [0, 0];
    const met = new Set<string>();
    const worker = async (): Promise<void> => {
      while (sent < RUNS) {
        const requests = Array.from({ length: 1 + roll(6) }, () => request(roll, rest.token));
        sent += requests.length;
        const parts = pieces(roll, requests.join(""));
        const { text, isHanging } = await converse(port, parts, roll(5) === 0 ? "destroy" : "end");
        const story = (): string =>
          JSON.stringify({ seed: SEED, parts, text: text.slice(0, 2000), said: server.said().slice(-2000) });
        if (failures(text).length > 0) throw new Error(`failed: ${story()}`);
        if (isHanging) throw new Error(`hangs: ${story()}`);
        for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d+)/gm)) met.add(status!);
        if (sent % 500 < requests.length) await isAnswering({ server });
        if (sent > RUNS / 4) early ||= memoryMb(server.pid) ?? 0;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    for (const status of ["200", "400", "401", "404", "405", "406", "417", "431"]) expect([...met]).toContain(status);
    expect((memoryMb(server.pid) ?? 0) - early).toBeLessThan(GROWTH_MB);
    await isWhole({ server, port, ...rest });
  }, 240_000);

  const HEAD = (token: string, path: string, type: string, length: string): string =>
    `POST /api/cms/${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Token ${token}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;

  it.each<[string, string, string, string]>([
    ["a form with a file", "media/", "multipart/form-data; boundary=b", FORM],
    [
      "a form with JSON",
      "media/",
      "multipart/form-data; boundary=b",
      FORM.replace('name="title"\r\n\r\nTeam', 'name="data"\r\n\r\n{"title":"Team"}').replace(
        /--b\r\n[^-]*name="file"[^]*text\r\n/,
        "",
      ),
    ],
    ["a form of texts", "tags/", "multipart/form-data; boundary=b", FORM.replace("title", "name")],
    [
      "JSON",
      "tags/",
      "application/json",
      '{"name":"\u00c3\u00a8 \\ud83d\\ude00","translations":{"it":{"name":["x",1e3,null]}}}',
    ],
    ["a form encoded as a URL", "tags/", "application/x-www-form-urlencoded", "name=%C3%A8+x&name_it=y"],
  ])(
    "%s cut off at every byte, announced as whole, as cut, and in chunks",
    async (_what, path, type, body) => {
      const { server, port, token, ...rest } = await started();
      const jobs = Array.from({ length: body.length + 1 }, (_, at) => body.slice(0, at)).flatMap(
        (cut) =>
          [
            [[HEAD(token, path, type, `Content-Length: ${body.length}`) + cut], "destroy"],
            // The last cut leaves a complete request, which would be written.
            ...(cut.length === body.length
              ? []
              : [[[HEAD(token, path, type, `Content-Length: ${cut.length}`), cut], "end"]]),
            [
              [
                HEAD(token, path, type, "Transfer-Encoding: chunked") +
                  (cut === "" ? "" : `${cut.length.toString(16)}\r\n${cut}\r\n`),
              ],
              "end",
            ],
          ] as [string[], "end" | "destroy"][],
      );
      const worker = async (): Promise<void> => {
        for (let job = jobs.pop(); job; job = jobs.pop()) {
          const { text, isHanging } = await converse(port, ...job);
          if (isHanging || failures(text).length > 0)
            throw new Error(JSON.stringify({ job, isHanging, text, said: server.said().slice(-2000) }));
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      await isWhole({ server, port, token, ...rest });
    },
    120_000,
  );
});
