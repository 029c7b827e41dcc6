import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { type DeletedTraces, deleteTraces } from "../../../src/domain/traces/delete-traces.ts";
import { scoreTrace } from "../../../src/domain/traces/scores/score-trace.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { type OtlpMessage, createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { lastAudit, personCtx } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import {
  type TraceScene,
  createCallSpan,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../support/trace-scene.ts";

let server: QuietServices;
let scene: TraceScene;
let admin: Ctx;

const TABLES = ["trace", "span", "span_content", "trace_score", "usage_call", "usage_trace"];

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  admin = person("admin");
});

function person(role: Role, isSudo = true): Ctx {
  return personCtx(server, { id: crypto.randomUUID(), workspaceId: scene.workspaceId }, { role, isSudo });
}

/** Sends a call with content, and a score of it. @returns its trace. */
async function send(conversation: string, ctx = scene.agent): Promise<string> {
  const traceId = newTraceId();
  const said = textAttribute("gen_ai.conversation.id", conversation);
  const attributes = [said, textAttribute("gen_ai.input.messages", "question")];
  await sendSpans(ctx, [createCallSpan({ input: 10, cost: 0.5, attributes }, { traceId })]);
  await scoreTrace(ctx, { traceId, name: "quality", value: 1 });
  return traceId;
}

async function countRows(workspaceId = scene.workspaceId): Promise<number[]> {
  const counts = TABLES.map(async (table) => {
    const [row] = await server.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`,
      [workspaceId],
    );
    return row?.count ?? 0;
  });
  return Promise.all(counts);
}

describe("deleteTraces", () => {
  it("deletes a conversation's traces with all that belongs to them, and leaves others and the sums", async () => {
    const other = await createTraceScene(server);
    await send("secret", other.agent);
    for (const conversation of ["secret", "secret", "public"]) await send(conversation);
    expect(await countRows()).toEqual([3, 3, 3, 3, 3, 3]);
    const deleted = await deleteTraces(admin, { conversationId: "secret" });
    expect(deleted).toEqual({ traces: 2, spans: 2, hasMore: false, endCursor: null });
    expect(await countRows()).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await countRows(other.workspaceId)).toEqual([1, 1, 1, 1, 1, 1]);
    const [sum] = await server.database.query(
      `SELECT sum(cost_usd)::float8 AS cost FROM usage_bucket
       WHERE workspace_id = $1 AND dimension = 'workspace' AND period = 'all'`,
      [scene.workspaceId],
    );
    expect(sum).toEqual({ cost: 1.5 });
    expect(await lastAudit(server, scene.workspaceId)).toEqual({
      ...{ action: "workspace.traces_deleted", target_id: scene.workspaceId },
      changes: { conversation_id: "secret", agent_id: null, traces: 2, spans: 2 },
    });
  });

  it("deletes those of an agent, or what an agent and a conversation have in common", async () => {
    const sender = await createOtherSender(server, scene);
    await send("a");
    await send("a", sender.ctx);
    await send("b", sender.ctx);
    const both = { conversationId: "a", agentId: sender.id };
    expect(await deleteTraces(admin, both)).toMatchObject({ traces: 1 });
    expect(await deleteTraces(admin, { agentId: sender.id })).toMatchObject({ traces: 1 });
    expect(await deleteTraces(admin, { agentId: sender.id })).toEqual({
      ...{ traces: 0, spans: 0, hasMore: false, endCursor: null },
    });
    expect((await countRows())[0]).toBe(1);
  });

  it("deletes a batch at once, and says whether there are more", async () => {
    const attributes = [textAttribute("gen_ai.conversation.id", "long")];
    for (let at = 0; at < 3; at++) {
      const traceId = newTraceId();
      const spans = Array.from({ length: 12_000 }, () => createSpan({ traceId, attributes }));
      await sendSpans(scene.agent, spans);
    }
    const chosen = { conversationId: "long" };
    expect(await deleteTraces(admin, chosen)).toEqual({
      traces: 2,
      spans: 24_000,
      hasMore: true,
      endCursor: null,
    });
    expect(await deleteTraces(admin, chosen)).toEqual({
      traces: 1,
      spans: 12_000,
      hasMore: false,
      endCursor: null,
    });
    expect((await countRows()).slice(0, 2)).toEqual([0, 0]);
  });

  it("deletes a person's, by what spans or their processes call them, stored as it was or as a hash", async () => {
    const other = await createTraceScene(server);
    const [mail, number] = [
      textAttribute("user.email", "ada@example.com"),
      { key: "user.id", value: { intValue: 42 } },
    ];
    async function sendFor(of: TraceScene, attributes: OtlpMessage[], resource: OtlpMessage[] = []) {
      await sendSpans(of.agent, [createSpan({ traceId: newTraceId(), attributes })], resource);
    }
    for (const captureContent of ["redacted", "full"] as const) {
      await updateWorkspace(admin, { captureContent });
      await sendFor(scene, [mail]);
      await sendFor(scene, [number]);
      await sendFor(scene, [], [mail]);
      await sendFor(scene, [textAttribute("user.email", "ada@example.org")]);
      await sendFor(other, [mail]);
    }
    const ended = { hasMore: false, endCursor: null };
    expect(await deleteTraces(admin, { person: "ada@example.com" })).toEqual({
      traces: 4,
      spans: 4,
      ...ended,
    });
    expect(await deleteTraces(admin, { person: "42", agentId: scene.agentId })).toEqual({
      traces: 2,
      spans: 2,
      ...ended,
    });
    expect(await deleteTraces(admin, { person: "42", conversationId: "none" })).toEqual({
      traces: 0,
      spans: 0,
      ...ended,
    });
    expect([(await countRows())[0], (await countRows(other.workspaceId))[0]]).toEqual([2, 2]);
    const { changes } = await lastAudit(server, scene.workspaceId);
    expect(changes).toMatchObject({ person: expect.stringMatching(/^sha256:[0-9a-f]{32}$/), traces: 2 });
  });

  it("deletes a person's in batches", async () => {
    const attributes = [textAttribute("user.id", "ada")];
    for (let at = 0; at < 3; at++) {
      const traceId = newTraceId();
      await sendSpans(
        scene.agent,
        Array.from({ length: 12_000 }, () => createSpan({ traceId, attributes })),
      );
    }
    let [traces, after]: [number, string | null] = [0, null];
    for (let hasMore = true; hasMore;) {
      const deleted: DeletedTraces = await deleteTraces(admin, { person: "ada", after });
      traces += deleted.traces;
      ({ hasMore, endCursor: after } = deleted);
    }
    expect({ traces, after }).toEqual({ traces: 3, after: null });
    expect((await countRows()).slice(0, 2)).toEqual([0, 0]);
  });

  it("is for admins who entered their password recently, and needs to know what", async () => {
    const chosen = { conversationId: "a" };
    await expect(deleteTraces(person("operator"), chosen)).rejects.toMatchObject({ code: "forbidden" });
    await expect(deleteTraces(scene.agent, chosen)).rejects.toMatchObject({ code: "forbidden" });
    await expect(deleteTraces(person("admin", false), chosen)).rejects.toMatchObject({
      code: "sudo_required",
    });
    for (const wrong of [
      {},
      { conversationId: "a", after: "x" },
      { person: "a", after: "x" },
      { person: "" },
    ])
      await expect(deleteTraces(admin, wrong)).rejects.toMatchObject({ code: "validation_failed" });
  });
});
