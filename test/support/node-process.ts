import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in its own process. */
export type NodeProcess = {
  url: string;
  pid: number;
  /** Its log lines. */
  logged: string[];
  /** Stops it as an operator would. @returns its exit code. */
  stop: () => Promise<number | null>;
  /** Kills it like a failing machine. */
  kill: () => Promise<void>;
};

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Starts a server without a rate limit on a free port, with an existing or new database. */
export async function startNode(
  databaseUrl: string | null,
  environment: Record<string, string> = {},
): Promise<NodeProcess> {
  const database = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      RATE_LIMIT: "0",
      LOG_LEVEL: "debug",
      ...database,
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const logged: string[] = [];
  const url = await firstUrl(child, logged);
  return {
    url,
    pid: child.pid ?? 0,
    logged,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await exited;
      return code;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function firstUrl(child: ChildProcess, logged: string[]): Promise<string> {
  if (child.stdout === null) throw new Error("the server has no output");
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      logged.push(line);
      const url = /listens on (http:\/\/\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it listened`)));
  });
}
