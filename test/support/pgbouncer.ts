import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { choosePort } from "../../src/db/embedded-server.ts";

const RECIPE = fileURLToPath(new URL("../../deploy/pgbouncer/pgbouncer.ini", import.meta.url));
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

export type Pooler = {
  /** The database through the pooler. */
  url: string;
  /** Ends it with all its connections, and starts it again. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

export function hasPgbouncer(): boolean {
  return spawnSync("pgbouncer", ["--version"]).status === 0;
}

/** Starts PgBouncer with deploy's configuration before a database, with this many connections to it. */
export async function startPgbouncer(databaseUrl: string, connections: number): Promise<Pooler> {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-ops-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await choosePort();
  const file = path.join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    changeRecipe(await readFile(RECIPE, "utf8"), { databaseUrl, connections, port, folder }),
  );
  const { username } = new URL(databaseUrl);
  await writeFile(path.join(folder, "userlist.txt"), `"${username}" ""\n`);
  let child = await startProgram(file);
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    restart: async () => {
      await endProgram(child);
      child = await startProgram(file);
    },
    stop: async () => {
      await endProgram(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Change = { databaseUrl: string; connections: number; port: number; folder: string };

function changeRecipe(recipe: string, { databaseUrl, connections, port, folder }: Change): string {
  const database = new URL(databaseUrl);
  const name = database.pathname.slice(1);
  const changes = [
    [
      "agent_ops = host=postgres port=5432 dbname=agent_ops",
      `${name} = host=${database.hostname} port=${database.port} dbname=${name}`,
    ],
    ["listen_addr = *", "listen_addr = 127.0.0.1"],
    ["listen_port = 6432", `listen_port = ${port}\nunix_socket_dir =`],
    ["auth_type = scram-sha-256", "auth_type = trust"],
    ["/etc/pgbouncer", folder],
    ["default_pool_size = 40", `default_pool_size = ${connections}`],
  ] as const;
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`pgbouncer.ini has no ${from}`);
    return text.replace(from, to);
  }, recipe);
}

async function startProgram(file: string): Promise<ChildProcess> {
  const child = spawn("pgbouncer", [file], {
    stdio: ["ignore", "ignore", "pipe"],
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      if (line.includes("process up")) resolve();
    });
    child.once("exit", () => reject(new Error(said.join("\n"))));
  });
  return child;
}

async function endProgram(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
