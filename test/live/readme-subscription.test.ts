import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

// This starts whole servers, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const LONG = { timeout: 60_000 };
const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-readme-"));

let world: TestWorld;
let proxy: DatabaseProxy;
let node: NodeProcess;

beforeAll(async () => {
  world = await createWorld();
  proxy = await openDatabaseProxy(world.server.database.url);
  node = await startNode(proxy.url);
});

afterAll(async () => {
  await node.stop();
  await proxy.close();
  await world.server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** README's event client, with the URL and packages replaced. */
function readmesClient(): string {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, example = ""] = /### Follow what happens\n\n```js\n(.+?)```/s.exec(readme) ?? [];
  return example
    .replace("http://127.0.0.1:4000", node.url)
    .replace('"graphql-ws"', JSON.stringify(import.meta.resolve("graphql-ws")))
    .replace('"ws"', JSON.stringify(import.meta.resolve("ws")));
}

describe("README's event client", () => {
  it("receives everything once through an outage of PostgreSQL and a restart of its node", async () => {
    const program = path.join(folder, "follow.mjs");
    writeFileSync(program, readmesClient());
    const child = spawn(process.execPath, [program], {
      env: { KEY: world.apiKey },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => (said += String(chunk)));
    const written: string[] = [];
    /** Writes an event, and waits until the client has printed it. */
    async function expectTold(): Promise<void> {
      const { id } = await createTask(world.ctx, { title: "Told" });
      written.push(id);
      await expect.poll(() => said, LONG).toContain(id);
    }
    await expect.poll(() => said, LONG).toContain("StreamOpened");
    await expectTold();

    proxy.cut();
    await expect.poll(() => node.logged.some((line) => line.includes('"code":1013')), LONG).toBe(true);
    // It requests another token meanwhile.
    const refused = () => node.logged.some((line) => /socket_tokens/.test(line) && /"status":503/.test(line));
    await expect.poll(refused, LONG).toBe(true);
    proxy.mend();
    await expectTold();

    const { port } = new URL(node.url);
    await node.stop();
    node = await startNode(proxy.url, { PORT: port });
    await expectTold();

    expect(child.exitCode).toBeNull();
    expect(written.map((id) => said.split(`'${id}'`).length - 1)).toEqual([1, 1, 1]);
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  });
});
