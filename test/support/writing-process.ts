import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

/** A process that creates tasks until it is killed. */
export type WritingProcess = {
  /** The ids of tasks that it has created. */
  written: string[];
  /** Waits until it has created this many. */
  reached: (count: number) => Promise<void>;
  kill: () => Promise<void>;
};

const PROGRAM = fileURLToPath(new URL("task-writer.ts", import.meta.url));

export function startWriting(databaseUrl: string, workspaceId: string): WritingProcess {
  const args = ["--import", "tsx", PROGRAM, databaseUrl, workspaceId];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const written: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on("line", (id) => void written.push(id));
  return {
    written,
    reached: (count) => expect.poll(() => written.length).toBeGreaterThanOrEqual(count),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
