/** Web servers of files with the redirects that a build wrote, configured as docs/deploying.md says. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";

const isRoot = process.getuid?.() === 0;

interface WebServer {
  readonly command: string;
  /** Arguments, with the path of the configuration. */
  readonly args: (conf: string, folder: string) => readonly string[];
  readonly conf: (site: { readonly root: string; readonly port: number; readonly folder: string }) => string;
}

export const WEB_SERVERS: Readonly<Record<"nginx" | "apache" | "caddy", WebServer>> = {
  nginx: {
    command: "nginx",
    args: (conf, folder) => ["-c", conf, "-p", folder, "-e", "stderr"],
    conf: ({ root, port, folder }) => `${isRoot ? "user root;" : ""}
daemon off;
pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
  types { text/html html; }
  server {
    listen 127.0.0.1:${port};
    root ${root};
    index index.html;
    error_page 404 /404.html;
    include ${root}/redirects.nginx.conf;
    location / { try_files $uri $uri/ =404; }
    location /media/ { add_header Cache-Control "public, max-age=300"; }
  }
}
`,
  },
  apache: {
    command: "apache2",
    args: (conf) => ["-X", "-f", conf],
    conf: ({ root, port, folder }) => `ServerRoot ${folder}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/errors
${["mpm_event", "authz_core", "dir", "mime", "rewrite", "headers"].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
TypesConfig /dev/null
AddType text/html .html
DirectoryIndex index.html
DocumentRoot ${root}
<Directory ${root}>
  AllowOverride FileInfo
  Require all granted
</Directory>
<Location /media/>
  Header set Cache-Control "public, max-age=300"
</Location>
`,
  },
  caddy: {
    command: "caddy",
    args: (conf) => ["run", "--adapter", "caddyfile", "--config", conf],
    conf: ({ root, port }) => `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  root * ${root}
  import ${root}/redirects.caddy
  header /media/* Cache-Control "public, max-age=300"
  file_server
  handle_errors {
    rewrite * /404.html
    file_server
  }
}
`,
  },
};

/** Those without their Debian package are not tried. */
export const INSTALLED = (Object.keys(WEB_SERVERS) as (keyof typeof WEB_SERVERS)[]).filter((name) => {
  const isThere = spawnSync("which", [WEB_SERVERS[name].command], { stdio: "ignore" }).status === 0;
  if (!isThere) console.warn(`Redirects are not tried on ${name}: ${WEB_SERVERS[name].command} is not installed.`);
  return isThere;
});

/** Starts it on a free port. @returns its address, without a final slash */
export async function startWebServer(name: keyof typeof WEB_SERVERS, root: string): Promise<string> {
  const { command, args, conf } = WEB_SERVERS[name];
  const folder = mkdtempSync(join(tmpdir(), `cms-${name}-`));
  const port = await freePort();
  const file = join(folder, "conf");
  writeFileSync(file, conf({ root, port, folder }));
  const child = spawn(command, args(file, folder), {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: folder,
    env: { ...process.env, XDG_CONFIG_HOME: folder },
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => void (said += chunk.toString()));
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`);
    const answer = await fetch(url, { redirect: "manual" }).catch(() => undefined);
    if (answer) return url;
    await pause(100);
  }
  throw new Error(`${command} does not answer: ${said}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
