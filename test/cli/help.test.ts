import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const hook = new URL("../support/note-loaded.mjs", import.meta.url).href;
const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-help-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The packages and folders of src that are loaded for a command. */
function loadedFor(...args: string[]): string[] {
  const file = path.join(folder, args.join("_"));
  const register = `data:text/javascript,import{register}from"node:module";register(${JSON.stringify(hook)})`;
  spawnSync(process.execPath, ["--import", "tsx", "--import", register, "src/cli/agent-ops.ts", ...args], {
    cwd: root,
    env: { LOADED_MODULES: file, DATABASE_URL: "postgres://nobody@127.0.0.1:1/nowhere" },
  });
  const urls = readFileSync(file, "utf8").split("\n");
  const names = urls.map((url) => /\/(?:node_modules|src)\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).toSorted();
}

describe("agent-ops", () => {
  it.each([[["--version"]], [["--help"]], [["key", "create", "--help"]], [["key", "create"]]])(
    "doesn't load the service for %j",
    (args) => {
      expect(loadedFor(...args)).toEqual(["cli", "client", "commander", "config", "domain"]);
    },
    60_000,
  );

  it("loads nothing but the client for coding agents", () => {
    expect(loadedFor("hook", "--help")).toEqual(["cli", "client"]);
  }, 60_000);

  it("loads the service for commands that need it", () => {
    expect(loadedFor("workspace", "create", "--name", "x")).toEqual(
      expect.arrayContaining(["auth", "db", "pg"]),
    );
  }, 60_000);

  it("loads mail, password hashing and rate limiting only if needed", () => {
    const loaded = loadedFor("workspace", "list");
    expect(loaded).toEqual(expect.arrayContaining(["db", "pg", "mail"]));
    for (const name of ["mailgun.js", "oslo", "@node-rs", "rate-limiter-flexible", "graphql", "hono"])
      expect(loaded.filter((one) => one.startsWith(name))).toEqual([]);
  }, 60_000);

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
    expect(await runCli(["--version"], {})).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
    expect(JSON.parse((await runCli(["--version", "--json"], {})).stdout)).toEqual({ version });
  });

  it("lists every command in its help, and a group's commands in the group's", async () => {
    const [all, group, one] = [await help(), await help("key"), await help("key", "create")];
    for (const command of [
      "workspace list",
      "user list",
      "key list",
      "key create",
      "scim-token rotate",
      "eval",
      "hook",
    ])
      expect(all).toContain(`\n  ${command} `);
    expect(group).toContain("\n  key list ");
    expect(group).not.toContain("workspace list");
    expect(one).toContain("--scopes <scopes>");
    const json = await runCli(["key", "--help", "--json"], {});
    expect(JSON.parse(json.stdout).help).toBe(group.trim());
  });
});

async function help(...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli([...words, "--help"], {});
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
}
