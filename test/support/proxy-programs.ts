import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { ask } from "./ask-proxy.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A recipe of deploy/, and how it is run with the real program in front of servers. */
export type ProxyProgram = {
  name: string;
  isInstalled: () => boolean;
  /** Starts it until the test ends. @returns its origin, with a certificate that nobody has signed. */
  start: (upstreams: readonly string[]) => Promise<string>;
};

export const NGINX: ProxyProgram = {
  name: "nginx",
  isInstalled: () => isInstalled("nginx", "-v"),
  start: startNginx,
};

export const CADDY: ProxyProgram = {
  name: "caddy",
  isInstalled: () => isInstalled("caddy", "version"),
  start: startCaddy,
};

function isInstalled(program: string, argument: string): boolean {
  // Elsewhere 127.0.0.2 is no address of the machine.
  return process.platform === "linux" && spawnSync(program, [argument]).status === 0;
}

async function startNginx(upstreams: readonly string[]): Promise<string> {
  const [folder, port] = [newFolder(), await choosePort()];
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  const subject = ["-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...subject], { stdio: "ignore" });
  const servers = upstreams.map((upstream) => `server ${upstream} max_fails=1 fail_timeout=2s;`);
  const recipe = readRecipe("nginx/agent-ops.conf", [
    ["server 127.0.0.1:4000 max_fails=1 fail_timeout=2s;", servers.join(" ")],
    ["listen 443 ", `listen 127.0.0.1:${port} `],
    ["/etc/ssl/agent-ops/fullchain.pem", certificate],
    ["/etc/ssl/agent-ops/privkey.pem", key],
  ]);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const whole = `daemon off; pid ${folder}/pid; events {} http { access_log off; ${places.join(" ")} ${recipe} }`;
  writeFileSync(path.join(folder, "nginx.conf"), whole);
  const child = spawn("nginx", ["-c", path.join(folder, "nginx.conf"), "-e", path.join(folder, "error.log")]);
  return untilListening(child, port);
}

async function startCaddy(upstreams: readonly string[]): Promise<string> {
  const [folder, port] = [newFolder(), await choosePort()];
  const options = `{\n admin off\n skip_install_trust\n http_port ${await choosePort()}\n https_port ${port}\n}\n`;
  writeFileSync(path.join(folder, "Caddyfile"), options + readRecipe("caddy/Caddyfile", []));
  const env = { PATH: process.env["PATH"], HOME: folder, UPSTREAMS: upstreams.join(" "), SITE: "localhost" };
  const args = ["run", "--config", path.join(folder, "Caddyfile"), "--adapter", "caddyfile"];
  return untilListening(spawn("caddy", args, { env }), port);
}

/** Reads a recipe, with what an operator would change in it. */
function readRecipe(file: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      return text.replace(from, to);
    },
    readFileSync(path.join(ROOT, "deploy", file), "utf8"),
  );
}

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-proxy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function choosePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has this kind of address.
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Waits until it answers requests by way of a server that is ready. */
async function untilListening(child: ChildProcess, port: number): Promise<string> {
  const exited = once(child, "exit");
  let said = "";
  child.stderr?.on("data", (text: Buffer) => void (said += text.toString()));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const url = `https://localhost:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(said);
    const status = await ask(`${url}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return url;
  }
}
