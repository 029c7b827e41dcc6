import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toTraceUuid } from "../../../src/domain/traces/trace-ids.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import {
  type OtlpMessage,
  createRequest,
  createSpan,
  newSpanId,
  newTraceId,
  textAttribute,
} from "../../support/otlp.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { createCallSpan } from "../../support/trace-scene.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const CHAT = textAttribute("gen_ai.operation.name", "chat");

function said(text: string): OtlpMessage {
  return textAttribute("gen_ai.input.messages", text);
}

async function send(...spans: OtlpMessage[]): Promise<void> {
  expect((await world.agent.post("/v1/traces", createRequest(spans))).text).toBe("{}");
}

/** A new person with a session. */
async function enterAs(role: "viewer" | "operator") {
  const person = await createPerson(world.server, world.workspaceId, { role });
  return { id: person.id, cookie: buildCookie(await beginTestSession(world.server, person)) };
}

describe("GET /api/v1/traces/{trace_id}", () => {
  it("lists what each call used, and sums over calls as such", async () => {
    const traceId = newTraceId();
    const [around, call] = [newSpanId(), newSpanId()];
    await send(
      createCallSpan({ op: "invoke_agent", input: 5, output: 2, cost: 0.5 }, { traceId, spanId: around }),
      createCallSpan(
        { model: "m", input: 5, output: 2, cost: 0.25 },
        { traceId, spanId: call, parentSpanId: around },
      ),
      createSpan({ traceId }),
    );
    const { body } = await world.agent.get(`/api/v1/traces/${traceId}`);
    const used = (id: string) => body.spans.find(({ span_id: one }: { span_id: string }) => one === id);
    expect(used(call)).toMatchObject({ model: "m", tokens: 7, cost_usd: "0.250000000000", is_sum: false });
    expect(used(around)).toMatchObject({ model: null, tokens: 7, cost_usd: "0.500000000000", is_sum: true });
    const none = { model: null, tokens: null, cost_usd: null, is_sum: false };
    expect(body.spans.filter(({ tokens }: { tokens: number | null }) => tokens === null)).toMatchObject([
      none,
    ]);
  });
});

describe("GET /api/v1/traces/{trace_id}/spans/{span_id}", () => {
  it("shows content to operators, and not to viewers", async () => {
    const span = createSpan({ attributes: [CHAT, said("[]")] });
    await send(span);
    const query = `{ trace(traceId: "${String(span["traceId"])}") { spanCount span(spanId: "${String(span["spanId"])}") { content { input } } } }`;
    for (const [role, code] of [
      ["viewer", "FORBIDDEN"],
      ["operator", undefined],
    ] as const) {
      const { cookie } = await enterAs(role);
      const { body } = await createTestClient(world.server.url, undefined, { cookie }).graphql(query);
      expect(body.errors?.[0].extensions.code, role).toBe(code);
    }
  });
});

describe("content that people read", () => {
  it("is in the audit log if the workspace wants that, but not what agents read", async () => {
    const traceId = newTraceId();
    const span = createSpan({ traceId, attributes: [CHAT, said("Refund me.")] });
    await send(span);
    const { id, cookie } = await enterAs("operator");
    const person = createTestClient(world.server.url, undefined, { cookie });
    const path = `/api/v1/traces/${traceId}/spans/${String(span["spanId"])}?content=true`;
    const query = `{ trace(traceId: "${traceId}") { span(spanId: "${String(span["spanId"])}") { content { input } } } }`;
    const exported = "{ traceExport(content: true) { next } }";
    const readAll = async () => {
      const { body } = await person.graphql(query);
      expect(body.errors).toBeUndefined();
      expect(body).toMatchObject({ data: { trace: { span: { content: { input: {} } } } } });
      expect((await person.graphql(exported)).body.errors).toBeUndefined();
      expect((await person.graphql("{ traceExport { next } }")).body.errors).toBeUndefined();
      expect((await world.agent.get(path)).status).toBe(200);
    };
    await readAll();
    await updateWorkspace(world.server.systemCtx(world.workspaceId), { auditContentReads: true });
    await readAll();
    await updateWorkspace(world.server.systemCtx(world.workspaceId), { auditContentReads: false });
    await readAll();
    const rows = await world.server.database.query(
      `SELECT action, target_id, changes, actor->>'id' AS actor FROM audit_event
       WHERE workspace_id = $1 AND action IN ('trace.content_read', 'workspace.content_exported') ORDER BY seq`,
      [world.workspaceId],
    );
    expect(rows).toMatchObject([
      {
        ...{ action: "trace.content_read", target_id: toTraceUuid(traceId), actor: id },
        changes: { span_id: span["spanId"] },
      },
      {
        ...{ action: "workspace.content_exported", target_id: world.workspaceId, actor: id },
        changes: { from: null, until: null },
      },
    ]);
  });
});
