import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { watchContact } from "../../src/client/contact.ts";
import { useClientScene } from "../support/client-scene.ts";

const scene = useClientScene();

describe("a client's log", () => {
  it("reports once that the service is unreachable, and once that it is available again", async () => {
    let requests = 0;
    const logged: string[] = [];
    const client = createClient({
      url: scene.world.server.url,
      token: scene.world.apiKey,
      log: (line) => logged.push(line),
      fetch: (input, init) => {
        if (++requests > 3) return fetch(input, init);
        throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
      },
    });
    await client.send("GET /whoami", {});
    expect(requests).toBe(4);
    const { url } = scene.world.server;
    expect(logged).toEqual([
      `${url} can't be reached (connect ECONNREFUSED). Retrying until it is available.`,
      `${url} is available again`,
    ]);
  });

  it("ignores responses to requests sent before the service became unreachable", () => {
    const logged: string[] = [];
    const contact = watchContact("http://service", (line) => logged.push(line));
    const askedAtMs = performance.now();
    contact.missed(new Error("no route"));
    contact.answered(askedAtMs);
    contact.missed(new Error("no route"));
    expect(logged).toEqual(["http://service can't be reached (no route). Retrying until it is available."]);
    contact.answered(Infinity);
    contact.answered(Infinity);
    expect(logged.slice(1)).toEqual(["http://service is available again"]);
  });

  it("reports why a task failed if the agent has no onError", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    const handle = () => Promise.reject(Object.assign(new Error("no stock"), { retryable: false }));
    scene.running.push(scene.agent.workTasks({ queues: [queue], signal: scene.stop.signal, handle }));
    await scene.taskWhen(id, "failed");
    expect(scene.logged).toContain(`task ${id}: no stock`);
  });
});

describe("a loop", () => {
  it.each([
    [401, "invalid_token", "Create a new API key"],
    [403, "insufficient_scope", "Use an API key with this scope"],
    [403, "workspace_suspended", "`agent-ops workspace resume`"],
    [409, "token_limit", "revoke unused ones"],
  ])("ends with all parallel workers on the error %i %s", async (status, code, advice) => {
    let claims = 0;
    const client = createClient({
      url: scene.world.server.url,
      token: scene.world.apiKey,
      log: () => {},
      // The second of two lanes, and of three workers, waits until the first one is rejected.
      fetch: (input, init) => {
        const address = input instanceof Request ? input.url : input.toString();
        const isFirst = address.includes("priority=urgent") || (address.endsWith("/claim") && claims++ === 0);
        return isFirst ? Promise.resolve(Response.json({ code }, { status })) : fetch(input, init);
      },
    });
    const { signal } = new AbortController();
    const commands = client.handleCommands({ journal: scene.journal, handlers: {}, signal });
    await expect(commands).rejects.toMatchObject({ code, message: expect.stringContaining(advice) });
    const tasks = client.workTasks({ concurrency: 3, signal, handle: async () => {} });
    await expect(tasks).rejects.toMatchObject({ status, code });
  });
});
