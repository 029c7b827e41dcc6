import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { NodeProcess } from "./node-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** A checkout of an earlier commit, with the packages of this one. */
export type EarlierVersion = {
  ref: string;
  /** Starts a server of it. */
  start: (environment: Record<string, string>) => Promise<Pick<NodeProcess, "url" | "stop">>;
  /** Runs its command line. @returns what it printed. */
  ops: (args: readonly string[], environment: Record<string, string>) => Promise<string>;
  remove: () => Promise<void>;
};

/** The newest tag or, without one, the newest commit that has other migrations than this checkout. */
export async function findEarlierRef(): Promise<string> {
  const asked = process.env["UPGRADE_FROM"];
  if (asked !== undefined) return asked;
  const tag = (await git("tag", "--sort=-creatordate", "--merged", "HEAD^")).split("\n")[0];
  if (tag !== undefined && tag !== "") return tag;
  const [changed] = (await git("log", "-1", "--format=%H", "--", "prisma/migrations")).split("\n");
  return (await git("rev-parse", `${changed ?? "HEAD"}^`)).trim();
}

/** Checks an earlier commit out into a scratch folder, and generates what it needs. */
export async function checkOutEarlier(ref: string): Promise<EarlierVersion> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), "agent-ops-earlier-")), "checkout");
  await git("worktree", "add", "--detach", folder, ref);
  // Not one link to the folder: what is generated is noted in its .cache.
  await mkdir(path.join(folder, "node_modules"));
  for (const name of await readdir(path.join(ROOT, "node_modules"))) {
    if (name !== ".cache")
      await symlink(path.join(ROOT, "node_modules", name), path.join(folder, "node_modules", name));
  }
  await run(process.execPath, ["scripts/prepare.mjs"], { cwd: folder });
  const tsx = (file: string, args: readonly string[]) => ["--import", "tsx", file, ...args];
  return {
    ref,
    ops: async (args, environment) => {
      const env = { PATH: process.env["PATH"], ...environment };
      return (await run(process.execPath, tsx("src/cli/agent-ops.ts", args), { cwd: folder, env })).stdout;
    },
    start: async (environment) => {
      const env = { PATH: process.env["PATH"], PORT: "0", RATE_LIMIT: "0", ...environment };
      const child = spawn(process.execPath, tsx("src/main.ts", []), {
        ...{ cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] },
      });
      const exited = once(child, "exit");
      const url = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).on("line", (line) => {
          const [, found] = /listens on (http:\/\/[^\s"]+)/.exec(line) ?? [];
          if (found !== undefined) resolve(found);
        });
        child.once("exit", (code) => reject(new Error(`the earlier server ended with ${code}`)));
      });
      return {
        url,
        stop: async () => {
          child.kill("SIGTERM");
          const [code] = await exited;
          return code;
        },
      };
    },
    remove: async () => {
      await git("worktree", "remove", "--force", folder);
      await rm(path.dirname(folder), { recursive: true, force: true });
    },
  };
}

async function git(...args: string[]): Promise<string> {
  return (await run("git", args, { cwd: ROOT })).stdout;
}
