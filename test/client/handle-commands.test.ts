import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { useClientScene } from "../support/client-scene.ts";

const scene = useClientScene();

function getAddress(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}

describe("handleCommands", () => {
  async function issue(type: string, more: object = {}) {
    const { agent_id: id } = await scene.operator.mint({ agent: { handle: scene.handle } });
    const body = { agent_id: id, type, ...more };
    const { agent_commands: commands } = await scene.operator.send("POST /operator/agent_commands", { body });
    return commands[0]?.id ?? "";
  }

  async function commandWhen(id: string, status: string, leastGeneration = 0) {
    for await (const { kind } of scene.operator.events({ after: scene.newest, subject: id })) {
      const { agent_command: command } = await scene.operator.send("GET /agent_commands/{id}", { id });
      const isLate = command.generation > leastGeneration;
      if (kind === "event" && command.status === status && isLate) return command;
    }
    throw new Error("the events ended");
  }

  it("runs normal commands in order, and urgent ones in parallel", async () => {
    const order: string[] = [];
    const urgent = new AbortController();
    const urgentCame = once(urgent.signal, "abort");
    const [one, two] = [await issue("custom.slow"), await issue("custom.next")];
    scene.running.push(
      scene.agent.handleCommands({
        journal: scene.journal,
        signal: scene.stop.signal,
        handlers: {
          "custom.slow": {
            run: async (_command, { progress }) => {
              await progress(0.5, "waiting");
              order.push("slow begins");
              await urgentCame;
              order.push("slow ends");
            },
          },
          "custom.next": { run: async () => order.push("next") },
          "agent.stop": {
            run: async () => {
              order.push("stop");
              urgent.abort();
            },
          },
        },
      }),
    );
    await commandWhen(one, "running");
    await issue("agent.stop", { priority: "urgent" });
    expect(await commandWhen(two, "succeeded")).toMatchObject({ result: 4 });
    expect(order).toEqual(["slow begins", "stop", "slow ends", "next"]);
  });

  it("finishes a command that it couldn't acknowledge at its start", async () => {
    const id = await issue("custom.weld");
    const calls: string[] = [];
    let acknowledgements = 0;
    const client = createClient({
      url: scene.world.server.url,
      token: scene.world.apiKey,
      agent: { handle: scene.handle },
      fetch: async (input, init) => {
        const isFirst = getAddress(input).endsWith("/ack") && acknowledgements++ === 0;
        return isFirst ? Response.json({ code: "not_implemented" }, { status: 501 }) : fetch(input, init);
      },
    });
    scene.running.push(
      client.handleCommands({
        journal: scene.journal,
        signal: scene.stop.signal,
        handlers: {
          "custom.weld": { run: async () => calls.push("run"), recover: async () => calls.push("recover") },
        },
      }),
    );
    expect(await commandWhen(id, "succeeded")).toMatchObject({ result: 1, delivery_attempts: 1 });
    expect(calls).toEqual(["recover"]);
  });

  it.each([
    ["result can't be JSON", async () => 1n, "agent_error"],
    ["result is too large for the service", async () => "x".repeat(300_000), "unfit_outcome"],
    ["error can't be stored", () => Promise.reject(new Error("\0")), "unfit_outcome"],
  ])("fails a command whose %s, and continues with the next", async (_what, run, code) => {
    const [broken, next] = [await issue("custom.broken"), await issue("custom.next")];
    scene.running.push(
      scene.agent.handleCommands({
        journal: scene.journal,
        signal: scene.stop.signal,
        handlers: { "custom.broken": { run }, "custom.next": { run: async () => "done" } },
      }),
    );
    expect(await commandWhen(next, "succeeded")).toMatchObject({ result: "done" });
    expect(await commandWhen(broken, "failed")).toMatchObject({ error: { code } });
  });

  it("rejects commands without a handler, defers and fails", async () => {
    const [unknown, later, broken] = [
      await issue("custom.x"),
      await issue("custom.later"),
      await issue("custom.fail", { priority: "urgent" }),
    ];
    scene.running.push(
      scene.agent.handleCommands({
        journal: scene.journal,
        signal: scene.stop.signal,
        handlers: {
          "custom.later": { run: async () => {}, refuse: () => ({ deferSeconds: 600, reason: "busy" }) },
          "custom.fail": { run: () => Promise.reject(Object.assign(new Error("jammed"), { code: "jam" })) },
        },
      }),
    );
    expect(await commandWhen(unknown, "rejected")).toMatchObject({
      status_detail: "No handler for custom.x.",
    });
    expect(await commandWhen(broken, "failed")).toMatchObject({ error: { code: "jam", message: "jammed" } });
    expect(await commandWhen(later, "queued", 1)).toMatchObject({
      status_detail: "busy",
      not_before: expect.any(String),
    });
  });
});
