import { EventEmitter, once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { useClientScene } from "../support/client-scene.ts";

const scene = useClientScene();

function getAddress(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}

describe("workTasks", () => {
  it("completes tasks with the handler's result, and fails them with its error", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const [good, bad] = [await scene.createTask(queue), await scene.createTask(queue)];
    scene.running.push(
      scene.agent.workTasks({
        queues: [queue],
        signal: scene.stop.signal,
        handle: async ({ id }, { attempt }) => {
          if (id === bad) throw Object.assign(new Error("no stock"), { code: "no_stock", retryable: false });
          return { output: { attempt } };
        },
      }),
    );
    expect(await scene.taskWhen(good, "completed")).toMatchObject({ output: { attempt: 1 } });
    expect(await scene.taskWhen(bad, "failed")).toMatchObject({
      error: { code: "no_stock", message: "no stock" },
    });
  });

  it("handles the requested number of tasks at once, without a warning", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    const ids = await Promise.all(Array.from({ length: 12 }, () => scene.createTask(queue)));
    const all = new AbortController();
    const allAtWork = once(all.signal, "abort");
    let atWork = 0;
    scene.running.push(
      scene.agent.workTasks({
        queues: [queue],
        concurrency: ids.length,
        signal: scene.stop.signal,
        handle: async () => {
          if (++atWork === ids.length) all.abort();
          await allAtWork;
        },
      }),
    );
    await Promise.all(ids.map((id) => scene.taskWhen(id, "completed")));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("aborts a canceled task's signal, and acknowledges the cancellation", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    scene.running.push(
      scene.agent.workTasks({
        queues: [queue],
        leaseSeconds: 10,
        signal: scene.stop.signal,
        handle: async (_task, { signal }) => {
          await scene.operator.send("POST /tasks/{id}/cancel", { id, body: {} });
          await new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("canceled")));
          });
        },
      }),
    );
    expect(await scene.taskWhen(id, "canceled")).toMatchObject({ cancel_requested_at: expect.any(String) });
  });

  it.each([
    ["can't be JSON", 1n, "BigInt"],
    ["is too large for the service", "x".repeat(300_000), "262144 bytes"],
  ])("fails a task whose output %s", async (_what, output, why) => {
    const queue = `q-${crypto.randomUUID()}`;
    const body = { title: "A task", queue, max_attempts: 1 };
    const { task } = await scene.operator.send("POST /tasks", { body });
    scene.running.push(
      scene.agent.workTasks({ queues: [queue], signal: scene.stop.signal, handle: async () => ({ output }) }),
    );
    expect(await scene.taskWhen(task.id, "failed")).toMatchObject({
      error: { message: expect.stringContaining(why) },
    });
  });

  it("keeps a lease whatever progress its handler reports, and reports errors of the service", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    const emitter = new EventEmitter<{ refusal: [unknown] }>();
    scene.running.push(
      scene.agent.workTasks({
        queues: [queue],
        leaseSeconds: 10,
        signal: scene.stop.signal,
        onError: (error) => emitter.emit("refusal", error),
        handle: async (_task, { progress, signal }) => {
          progress(7);
          const [refusal] = await once(emitter, "refusal", { signal });
          progress(0.7);
          return { output: { refusal: refusal.status } };
        },
      }),
    );
    expect(await scene.taskWhen(id, "completed")).toMatchObject({ output: { refusal: 422 } });
  });

  it("lets a handler ask a question, and continue when it is answered", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    scene.running.push(
      scene.agent.workTasks({
        queues: [queue],
        signal: scene.stop.signal,
        handle: async (task, { leaseToken, signal }) => {
          const body = {
            ...{ kind: "question" as const, parts: [{ text: "Which?" }] },
            ...{ task_id: task.id, lease_token: leaseToken },
          };
          const { message } = await scene.agent.send("POST /messages", { body });
          const after = scene.newest;
          const types = ["message.answered"];
          for await (const { kind } of scene.agent.events({ after, types, subject: message.id, signal }))
            if (kind === "event") break;
          return { output: "answered" };
        },
      }),
    );
    await scene.taskWhen(id, "input_required");
    const query = { task_id: id, kind: "question" as const };
    const { messages } = await scene.operator.send("GET /messages", { query });
    const reply_to_id = messages[0]?.id ?? "";
    const body = { kind: "answer" as const, reply_to_id, parts: [{ text: "The first." }] };
    await scene.operator.send("POST /messages", { body });
    expect(await scene.taskWhen(id, "completed")).toMatchObject({ output: "answered" });
  });

  it("ends when its lease has expired, although the service is unreachable", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    const leaseIsOver = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(leaseIsOver.signal);
    const errors: unknown[] = [];
    let releases = 0;
    const cut = createClient({
      url: scene.world.server.url,
      token: scene.world.apiKey,
      agent: { handle: scene.handle },
      fetch: (input, init) => {
        if (!getAddress(input).endsWith("/release")) return fetch(input, init);
        if (++releases === 2) leaseIsOver.abort(new Error("over"));
        throw new TypeError("fetch failed");
      },
    });
    await cut.workTasks({
      queues: [queue],
      leaseSeconds: 10,
      signal: scene.stop.signal,
      onError: (error, task) => errors.push([String(error), task?.id]),
      handle: (_task, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")));
          scene.stop.abort();
        }),
    });
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
    expect(errors).toEqual([["Error: over", id]]);
  });

  it("reports that the service is unreachable, and continues", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    const errors: unknown[] = [];
    const flaky = createClient({
      url: scene.world.server.url,
      token: scene.world.apiKey,
      agent: { handle: scene.handle },
      fetch: (input, init) => {
        if (errors.length > 0) return fetch(input, init);
        throw new TypeError("fetch failed");
      },
    });
    scene.running.push(
      flaky.workTasks({
        queues: [queue],
        signal: scene.stop.signal,
        onError: (error) => errors.push(String(error)),
        handle: async () => {},
      }),
    );
    await scene.taskWhen(id, "completed");
    const { url } = scene.world.server;
    expect(errors).toEqual([`ConnectionError: ${url} can't be reached: fetch failed`]);
  });

  it("releases a task when it is stopped", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    await scene.agent.workTasks({
      queues: [queue],
      signal: scene.stop.signal,
      handle: (_task, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")));
          scene.stop.abort();
        }),
    });
    const { task } = await scene.operator.send("GET /tasks/{id}", { id, query: {} });
    expect(task).toMatchObject({ status: "submitted", attempt: 0 });
  });
});

describe("events", () => {
  it("resume from a cursor, each event once and in order", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const after = scene.newest;
    const ids = [await scene.createTask(queue), await scene.createTask(queue), await scene.createTask(queue)];
    const seen: string[] = [];
    let cursor = after;
    // Each run of the reader handles one event.
    for (let life = 0; life < ids.length; life++) {
      for await (const frame of scene.operator.events({ after: cursor, types: ["task.created"] })) {
        cursor = frame.cursor;
        if (frame.kind !== "event") continue;
        seen.push(frame.event.subject_id);
        break;
      }
    }
    expect(seen).toEqual(ids);
  });

  it("report a gap if events after the cursor have been deleted", async () => {
    const after = scene.newest;
    await scene.createTask("default");
    await scene.world.server.database.query(
      "UPDATE workspace_head SET min_seq = seq + 1 WHERE workspace_id = $1",
      [scene.world.workspaceId],
    );
    for await (const frame of scene.operator.events({ after })) {
      expect(frame).toEqual({ kind: "reset", cursor: expect.any(String) });
      break;
    }
  });
});
