import { context, propagation } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { beforeAll, describe, expect, it } from "vitest";
import { createOpenSpanProcessor } from "../../src/client/client.ts";
import { grantApproval } from "../../src/domain/approvals/grant-approval.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { parseTraceparent } from "../../src/domain/kernel/traceparent.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { useClientScene } from "../support/client-scene.ts";
import { ALLOW, ASK } from "../support/gateway-scene.ts";
import { openSessionCtx } from "../support/open-session-ctx.ts";
import { createPerson, beginTestSession } from "../support/people.ts";
import { readStoredSpans } from "../support/stored-spans.ts";

const scene = useClientScene();
let person: Ctx;

beforeAll(async () => {
  const { server, ctx, workspaceId } = scene.world;
  await createPolicy(ctx, ALLOW);
  await createPolicy(ctx, ASK);
  person = await openSessionCtx(
    server,
    await beginTestSession(server, await createPerson(server, workspaceId, { role: "operator" })),
  );
});

/** OpenTelemetry as an agent sets it up. */
function startTelemetry() {
  const { apiKey, server } = scene.world;
  const createExporter = () =>
    new OTLPTraceExporter({
      ...{ url: `${server.url}/v1/traces`, headers: { Authorization: `Bearer ${apiKey}` } },
    });
  const provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(createExporter()), createOpenSpanProcessor(createExporter())],
  });
  provider.register();
  return provider;
}

/** A span with the names of those around it, from the outermost. */
type Seen = { path: string; isOpen: boolean; traceId: string; durationMs: number };

async function readTrace(traceId: string): Promise<Seen[]> {
  const rows = await readStoredSpans(scene.world.server.database, scene.world.workspaceId);
  const spans = new Map(rows.map((row) => [row["span_id"], row]));
  const toPath = (row: Record<string, unknown>): string => {
    const parent = spans.get(row["parent_span_id"]);
    return parent === undefined ? String(row["name"]) : `${toPath(parent)} > ${String(row["name"])}`;
  };
  return rows
    .filter((row) => String(row["trace_id"]).replaceAll("-", "") === traceId)
    .map((row) => ({
      ...{ path: toPath(row), isOpen: row["ended_at"] === null, traceId },
      durationMs: Date.parse(String(row["ended_at"])) - Date.parse(String(row["started_at"])),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

describe("a task's handler", () => {
  it("works within the task's attempt: its spans, open ones too, its tools, and the wait for a person", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const provider = startTelemetry();
    const refund = scene.agent.gated("stripe.refund", async ({ amount }: { amount: number }) => amount);
    const id = await scene.createTask(queue);
    scene.running.push(
      scene.agent.workTasks({
        queues: [queue],
        signal: scene.stop.signal,
        handle: async (_task, { traceparent }) => {
          const outer = propagation.extract(context.active(), { traceparent });
          const span = provider.getTracer("test").startSpan("invoke_agent billing", {}, outer);
          const output = await refund({ amount: 900 });
          span.end();
          return { output };
        },
      }),
    );
    const traceId = id.replaceAll("-", "");
    const tool = "run_task > execute_tool stripe.refund";
    await expect
      .poll(async () => (await readTrace(traceId)).filter(({ isOpen }) => isOpen).map(({ path }) => path), {
        timeout: 10_000,
      })
      .toEqual(["run_task", "run_task > human_approval", "run_task > invoke_agent billing"]);
    const approval = await person.db.approval.findFirstOrThrow({ where: { traceId } });
    await grantApproval(person, { id: approval.id });
    await scene.taskWhen(id, "completed");
    await expect
      .poll(async () => (await readTrace(traceId)).filter(({ isOpen }) => !isOpen).map(({ path }) => path), {
        timeout: 10_000,
      })
      .toEqual(
        expect.arrayContaining([
          "run_task",
          "run_task > human_approval",
          "run_task > invoke_agent billing",
          tool,
        ]),
      );
    const wait = (await readTrace(traceId)).find(({ path }) => path.endsWith("human_approval"));
    expect(wait?.durationMs).toBeGreaterThan(900);
    await provider.shutdown();
  });

  it("sends its traceparent with its requests alone, and has it for child processes", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    scene.running.push(
      scene.agent.workTasks({
        queues: [queue],
        signal: scene.stop.signal,
        handle: async (_task, { traceparent, env }) => {
          const { task } = await scene.agent.send("POST /tasks", { body: { title: "Next", queue: "later" } });
          return { output: { traceparent, env, next: task.trace_id } };
        },
      }),
    );
    const { output } = await scene.taskWhen(id, "completed");
    const { traceparent, ...rest } = output as { traceparent: string };
    const traceId = id.replaceAll("-", "");
    expect(parseTraceparent(traceparent)?.traceId).toBe(traceId);
    expect(rest).toEqual({ env: { TRACEPARENT: traceparent }, next: traceId });
    const outside = await scene.createTask(queue);
    expect(await scene.taskWhen(outside, "completed")).toMatchObject({
      trace_id: outside.replaceAll("-", ""),
    });
  });
});

describe("a command's handler", () => {
  it("works within the command", async () => {
    const { agent_id: id } = await scene.operator.mint({ agent: { handle: scene.handle } });
    const { agent_commands: commands } = await scene.operator.send("POST /operator/agent_commands", {
      body: { agent_id: id, type: "custom.order" },
    });
    const traceIds = new Promise<(string | null)[]>((resolve) => {
      const run = async (_command: unknown, { traceparent }: { traceparent: string }) => {
        const { task } = await scene.agent.send("POST /tasks", { body: { title: "Next", queue: "later" } });
        resolve([parseTraceparent(traceparent)?.traceId ?? null, task.trace_id]);
      };
      const handlers = { "custom.order": { run } };
      scene.running.push(
        scene.agent.handleCommands({ journal: scene.journal, signal: scene.stop.signal, handlers }),
      );
    });
    const own = commands[0]?.id.replaceAll("-", "");
    expect(await traceIds).toEqual([own, own]);
  });
});
