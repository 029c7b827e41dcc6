import { expect, vi } from "vitest";
import type { Approval } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { updatePolicy } from "../../src/domain/policies/update-policy.ts";
import { type GatewayScene, ASK, createGatewayScene } from "./gateway-scene.ts";
import { openSessionCtx } from "./open-session-ctx.ts";
import { PATIENCE } from "./patience.ts";
import { createPerson, beginTestSession } from "./people.ts";
import type { TestAnswer } from "./test-client.ts";
import type { TestWorld } from "./test-world.ts";

/** A workspace that allows tools of `crm` and asks people about large refunds of `stripe`. */
export type HookScene = GatewayScene & {
  /** The context of a new operator who is logged in. */
  person: () => Promise<Ctx>;
  /** Waits until people are asked. */
  waitForApproval: () => Promise<Approval>;
  /** Waits until the server holds no call. */
  waitUntilNoneIsHeld: () => Promise<void>;
  /** Lets approvers change the arguments. */
  allowEdits: () => Promise<unknown>;
  lastDecisionId: () => Promise<string>;
};

export async function createHookScene(world: TestWorld): Promise<HookScene> {
  const gateway = await createGatewayScene(world);
  const { ctx } = gateway;
  const { workspaceId } = ctx;
  const resources = [{ type: "tool", server: "crm" }];
  await createPolicy(ctx, { name: "crm", effect: "allow", actions: ["tools/call"], resources });
  const asking = await createPolicy(ctx, ASK);
  return {
    ...gateway,
    person: async () => {
      const person = await createPerson(world.server, workspaceId, { role: "operator" });
      return openSessionCtx(world.server, await beginTestSession(world.server, person));
    },
    waitForApproval: () =>
      vi.waitFor(() => ctx.db.approval.findFirstOrThrow({ where: { status: "pending" } }), PATIENCE),
    waitUntilNoneIsHeld: () =>
      vi.waitFor(() => {
        const { connections } = world.server.services.live;
        const held = [...connections.all()].filter(({ id }) => id.startsWith("held calls"));
        expect(held).toEqual([]);
      }, PATIENCE),
    allowEdits: () => updatePolicy(ctx, { id: asking.id }, { ...ASK, approval: { edits: true } }),
    lastDecisionId: async () => {
      const { id } = await vi.waitFor(
        () => ctx.db.decision.findFirstOrThrow({ orderBy: { id: "desc" } }),
        PATIENCE,
      );
      return id;
    },
  };
}

/** What a coding agent sends before it runs a tool. */
export function toolUse(tool: string, input: object = {}, id = "t-1") {
  return {
    ...{ hook_event_name: "PreToolUse", session_id: "s-1", transcript_path: "/x", cwd: "/src" },
    ...{ permission_mode: "default", tool_name: tool, tool_input: input, tool_use_id: id },
  };
}

/** The decision in an answer, which is 200 in any case. */
export function decisionOf(answer: TestAnswer | undefined): { decision: string; reason: string } {
  const { status, body, headers } = answer ?? {};
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { hookSpecificOutput: { hookEventName: "PreToolUse" } },
  });
  const { permissionDecision: decision, permissionDecisionReason: reason } = body.hookSpecificOutput;
  expect(headers?.get("agent-ops-decision")).toBe(decision);
  return { decision, reason };
}
