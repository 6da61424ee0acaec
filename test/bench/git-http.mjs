/** A folder's repositories at `http://`, open to pushes, by `git http-backend`. */
import { spawn } from "node:child_process";

/**
 * Answers one request, by the Common Gateway Interface (RFC 3875) as `git http-backend` uses it.
 *
 * @param limit gives the number of bytes of an answer after which the connection is cut off; null: never
 */
export function answerGit({ folder, env, limit = () => null }, request, response) {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const { headers } = request;
  const child = spawn("git", ["-c", "http.receivepack=true", "http-backend"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      ...env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headers["content-type"] ?? "",
      CONTENT_LENGTH: headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      HTTP_GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  child.stdin.on("error", () => undefined); // it need not read the whole body
  request.on("error", () => child.kill());
  request.pipe(child.stdin);
  let head = "";
  let sent = 0;
  const send = (bytes) => {
    const left = (limit() ?? Number.POSITIVE_INFINITY) - sent;
    sent += bytes.length;
    if (bytes.length <= left) return void response.write(bytes);
    response.write(bytes.subarray(0, left), () => request.socket.destroy());
    child.kill();
  };
  child.stdout.on("data", (chunk) => {
    if (response.headersSent) return send(chunk);
    head += chunk.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const fields = head
      .slice(0, end)
      .split("\r\n")
      .map((line) => line.split(/: ?(.*)/s));
    const status = fields.find(([name]) => name.toLowerCase() === "status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(fields.filter(([name]) => name !== "Status")));
    send(Buffer.from(head.slice(end + 4), "latin1"));
  });
  child.on("close", () => response.end());
}
