import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { createInterface } from "node:readline";

/** A measured server in its own process. */
export type MeasuredProcess = { name: string; url: string; pid: number; stop: () => Promise<void> };

/** Starts a program that prints the URL it listens on. */
export async function startSubject(
  name: string,
  command: string[],
  environment: Record<string, string>,
): Promise<MeasuredProcess> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await firstUrl(child);
  return {
    name,
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function firstUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the program has no output");
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    // Later lines are read too, so that the program never blocks on a full pipe.
    lines.on("line", (line) => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the program ended with ${code} before it listened`)));
  });
}

/** Milliseconds per clock tick in /proc: there are 100 ticks per second on every Linux that Node runs on. */
const TICK_MS = 10;

/** CPU milliseconds used by a process. Linux only. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** CPU milliseconds used by a postmaster's processes, including ended ones. */
export function postgresCpuMs(postmaster: number): number {
  const stat = readFileSync(`/proc/${postmaster}/stat`, "utf8");
  const ended = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  let total = (Number(ended[13]) + Number(ended[14])) * TICK_MS;
  for (const entry of readdirSync("/proc")) {
    if (/^\d+$/.test(entry) && getParentPid(entry) === postmaster) total += cpuMs(Number(entry));
  }
  return total;
}

function getParentPid(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
