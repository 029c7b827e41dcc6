import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKeyWith } from "../support/callers.ts";
import { useClientScene } from "../support/client-scene.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-readme-"));
const program = path.join(folder, "agent.mts");
const scene = useClientScene();

/** The reader's part of README's example: an idempotent effect that may kill the agent. */
const READERS_OWN = `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
async function refund(_task: unknown, { idempotencyKey: key }: { idempotencyKey: string }): Promise<string> {
  const done = existsSync("refunds") ? readFileSync("refunds", "utf8") : "";
  if (!done.includes(key)) appendFileSync("refunds", key + "\\n");
  if (process.env.DIES === "1") process.kill(process.pid, "SIGKILL");
  return "refunded";
}
async function pause(): Promise<void> {}
`;

beforeAll(() => {
  const [, example = ""] =
    /### Write an agent\n\n```ts\n(.+?)```/s.exec(readFileSync(`${root}README.md`, "utf8")) ?? [];
  const source = example
    .replace('"@agent-ops/client"', JSON.stringify(path.join(root, "src/client/client.ts")))
    .replace("http://127.0.0.1:4000", scene.world.server.url);
  writeFileSync(program, `${source}${READERS_OWN}`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Life = { ended: Promise<number | NodeJS.Signals>; stop: () => void; errors: () => string };

function live(environment: Record<string, string>): Life {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), program], {
    cwd: folder,
    env: { KEY: scene.world.apiKey, ...environment },
    stdio: ["ignore", "inherit", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => void (errors += String(chunk)));
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  return { ended, stop: () => child.kill("SIGINT"), errors: () => errors };
}

describe("README's agent", { timeout: 120_000 }, () => {
  it("has its effect once although it is killed before reporting it, and revokes its token when it stops", async () => {
    const id = await scene.createTask("billing");
    expect(await live({ DIES: "1" }).ended).toBe("SIGKILL");
    const { database } = scene.world.server;
    await database.query("UPDATE task SET lease_expires_at = now() - interval '1 second' WHERE id = $1", [
      id,
    ]);
    const second = live({});
    expect(await scene.taskWhen(id, "completed")).toMatchObject({ attempt: 2, output: "refunded" });
    second.stop();
    expect({ code: await second.ended, said: second.errors() }).toEqual({
      code: 0,
      said: expect.stringContaining("my-agent is working on tasks from billing"),
    });
    expect(readFileSync(path.join(folder, "refunds"), "utf8")).toBe(`${id}\n`);
    const tokens = await database.query(
      `SELECT 1 FROM agent_token t JOIN agent a ON a.workspace_id = t.workspace_id AND a.id = t.agent_id
       WHERE a.handle = 'my-agent' AND t.revoked_at IS NULL`,
    );
    // The killed process's token expires by itself.
    expect(tokens).toHaveLength(1);
  });

  it.each([
    ["is unknown", async () => `agk_${"x".repeat(16)}.${"x".repeat(49)}`, "`agent-ops key create`"],
    ["is missing", async () => "", "token must be an API key"],
    [
      "lacks a scope",
      () => createKeyWith(scene.world.server, scene.world.workspaceId, ["agents:write"]),
      "requires the scope",
    ],
  ])("ends with an error that says what to do if its key %s", async (_what, key, advice) => {
    const life = live({ KEY: await key() });
    expect(await life.ended).toBe(1);
    expect(life.errors()).toContain(advice);
  });
});
