import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentCapture } from "../../../src/domain/agents/set-agent-capture.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { getErrorCode } from "../../support/callers.ts";
import { createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { personCtx } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import {
  type TraceScene,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../support/trace-scene.ts";

const MAIL = "ada@example.com";

let server: QuietServices;
let scene: TraceScene;
let admin: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  admin = personCtx(server, { id: crypto.randomUUID(), workspaceId: scene.workspaceId }, { role: "admin" });
});

/** Sends a span with content, in the name of an agent if one is given. @returns what is stored of it. */
async function send(ctx: Ctx, named?: string): Promise<{ input: string | null; resource: string }> {
  const traceId = newTraceId();
  const attributes = [
    textAttribute("input.value", MAIL),
    ...(named === undefined ? [] : [textAttribute("gen_ai.agent.name", named)]),
  ];
  await sendSpans(ctx, [createSpan({ traceId, attributes })], [textAttribute("note", `${MAIL} ${traceId}`)]);
  const [stored] = await server.database.query<{ input: string | null; resource: string }>(
    `SELECT c.input ->> 'input.value' AS input, r.attributes ->> 'note' AS resource
     FROM span s JOIN span_resource r ON r.workspace_id = s.workspace_id AND r.id = s.resource_id
     LEFT JOIN span_content c ON c.workspace_id = s.workspace_id AND c.day = s.day AND c.trace_id = s.trace_id AND c.span_id = s.span_id
     WHERE s.workspace_id = $1 AND replace(s.trace_id::text, '-', '') = $2`,
    [scene.workspaceId, traceId],
  );
  if (stored === undefined) throw new Error("no span is stored");
  return { input: stored.input, resource: stored.resource.replace(` ${traceId}`, "") };
}

async function capture(id: string, captureContent: "full" | "redacted" | "off" | null) {
  return setAgentCapture(admin, { id, captureContent });
}

describe("setAgentCapture", () => {
  it("stores less of one agent, never more than the workspace's setting says", async () => {
    await updateWorkspace(admin, { captureContent: "full" });
    expect(await send(scene.agent)).toEqual({ input: MAIL, resource: MAIL });
    await capture(scene.agentId, "redacted");
    const redacted = "[redacted:email]";
    expect(await send(scene.agent)).toEqual({ input: redacted, resource: redacted });
    await capture(scene.agentId, "off");
    expect(await send(scene.agent)).toEqual({ input: null, resource: redacted });
    await updateWorkspace(admin, { captureContent: "redacted" });
    await capture(scene.agentId, "full");
    expect(await send(scene.agent)).toMatchObject({ input: redacted });
    await updateWorkspace(admin, { captureContent: "full" });
    await capture(scene.agentId, null);
    expect(await send(scene.agent)).toEqual({ input: MAIL, resource: MAIL });
  });

  it("is for the agents that a collector names, and for what its process says of itself", async () => {
    await updateWorkspace(admin, { captureContent: "full" });
    const [secret, open] = [await createOtherSender(server, scene), await createOtherSender(server, scene)];
    await capture(secret.id, "off");
    expect(await send(scene.agent, secret.handle)).toEqual({ input: null, resource: "[redacted:email]" });
    expect(await send(scene.agent, secret.id)).toMatchObject({ input: null });
    expect(await send(scene.agent, open.handle)).toMatchObject({ input: MAIL });
    // Who may not act for others only sends its own.
    const sender = await createOtherSender(server, scene, ["traces:write"]);
    expect(await send(sender.ctx, secret.handle)).toEqual({ input: MAIL, resource: MAIL });
  });

  it("is audited, once", async () => {
    for (const _ of [1, 2]) await capture(scene.agentId, "off");
    const audited = await server.database.query<{ changes: unknown }>(
      "SELECT changes FROM audit_event WHERE workspace_id = $1 AND action = 'agent.capture_content_changed'",
      [scene.workspaceId],
    );
    expect(audited).toEqual([{ changes: { capture_content: { from: null, to: "off" } } }]);
  });

  it("refuses those who are no admins, agents, and agents of others", async () => {
    const input = { id: scene.agentId, captureContent: "full" } as const;
    const operator = personCtx(
      server,
      { id: crypto.randomUUID(), workspaceId: scene.workspaceId },
      { role: "operator" },
    );
    for (const ctx of [operator, scene.agent])
      expect(await getErrorCode(setAgentCapture(ctx, input))).toBe("forbidden");
    const other = await createTraceScene(server);
    expect(await getErrorCode(capture(other.agentId, "off"))).toBe("not_found");
  });
});
