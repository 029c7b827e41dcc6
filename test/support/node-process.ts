import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in a process of its own. */
export type NodeProcess = {
  url: string;
  pid: number;
  /** What it logged, one line an entry. */
  logged: string[];
  /** Ends it as it is ended by its operator. @returns its exit code. */
  stop: () => Promise<number | null>;
  /** Ends it as a machine does that fails. */
  kill: () => Promise<void>;
};

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Starts a server on a free port, over a database that is there or over one of its own. */
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
