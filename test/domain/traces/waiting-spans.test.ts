import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import { sweepExecutions } from "../../../src/domain/executions/sweep-executions.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { createSpanId, toTraceparent } from "../../../src/domain/kernel/server-span.ts";
import { parseTraceparent } from "../../../src/domain/kernel/traceparent.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { claimTask } from "../../../src/domain/tasks/claim-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { rejectTask } from "../../../src/domain/tasks/reject-task.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { ASK, refund } from "../../support/gateway-scene.ts";
import { type SeenSpan, readServerSpans } from "../../support/server-spans.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

/** A caller's span. */
const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
/** A refund that needs no person. */
const SMALL = refund({ amount: 1 });

let world: TestWorld;
let scene: ApprovalScene;
let person: Ctx;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createApprovalScene(world);
  person = await scene.person();
});

/** The context of a request with a traceparent. */
function within(ctx: Ctx): Ctx {
  return openCtx(ctx.services, { ...ctx, traceparent: toTraceparent(CALLER) }, ctx.now);
}

/** Reads the spans with a name. The server's sweep may be writing them meanwhile. */
async function readNamed(name: string): Promise<SeenSpan[]> {
  const spans = await readServerSpans(world.server, scene.ctx.workspaceId);
  return spans.filter((span) => span.name === name);
}

/** Waits until the span with this name is like that. */
async function untilSpan(name: string, like: object): Promise<SeenSpan> {
  await expect.poll(() => readNamed(name)).toMatchObject([like]);
  const [span] = await readNamed(name);
  if (span === undefined) throw new Error("the span is gone");
  return span;
}

async function claimNew() {
  await createTask(scene.agent, { title: "Refund" });
  const claim = await claimTask(scene.agent, {});
  if (claim === null) throw new Error("nothing to claim");
  const place = parseTraceparent(claim.lease.traceparent) ?? CALLER;
  return { id: claim.task.id, leaseToken: claim.lease.token, place };
}

describe("human_approval", () => {
  it("is open in the task's trace until a person has decided", async () => {
    const { id: taskId, place } = await claimNew();
    const id = await scene.request({ ...refund(), context: { task_id: taskId } });
    const open = await untilSpan("human_approval", {
      ...{ op: "human", status: "unset", endedAt: null, agentId: scene.agentId, parentSpanId: place.spanId },
      place: { traceId: place.traceId, spanId: createSpanId("human_approval", id) },
    });
    const { decidedAt } = await grantApproval(person, { id });
    const decided = { ...{ ...open, status: "ok" }, endedAt: decidedAt?.toISOString() };
    await expect
      .poll(() => readNamed("human_approval"))
      .toMatchObject([
        {
          ...decided,
          attributes: { ...open.attributes, "aos.approval.status": "approved" },
        },
      ]);
    const { traceId } = await scene.ctx.db.approval.findFirstOrThrow({ where: { id } });
    expect(traceId).toBe(place.traceId);
  });

  it("is within the span that the agent's request names, or in a trace of its own", async () => {
    const agent = within(scene.agent);
    await checkRequest(agent, { requestText: JSON.stringify(refund()) });
    await expect
      .poll(() => readNamed("human_approval"))
      .toMatchObject([{ place: { traceId: CALLER.traceId }, parentSpanId: CALLER.spanId }]);
    scene = await createApprovalScene(world);
    const id = await scene.request();
    await denyApproval(await scene.person(), { id, comment: "No." });
    await expect
      .poll(() => readNamed("human_approval"))
      .toMatchObject([
        {
          ...{ place: { traceId: id.replaceAll("-", "") }, parentSpanId: null, status: "unset" },
          attributes: { "aos.approval.status": "denied" },
        },
      ]);
  });

  it("is within the command that waits for it", async () => {
    const { resources: _any, ...rule } = { ...ASK, actions: ["custom.restart"], when: "true" };
    await createPolicy(scene.ctx, { ...rule, name: "Restarts" });
    const { commands } = await issueAgentCommands(scene.agent, {
      agentId: scene.agentId,
      type: "custom.restart",
    });
    const command = await untilSpan("agent_command custom.restart", {
      attributes: { "aos.command_id": commands[0]?.id, "aos.command.status": "awaiting_approval" },
    });
    await expect
      .poll(() => readNamed("human_approval"))
      .toMatchObject([
        {
          ...{ place: { traceId: command.place.traceId }, parentSpanId: command.place.spanId },
        },
      ]);
  });
});

describe("execute_tool", () => {
  it("is the use of a permission until its outcome", async () => {
    const id = await scene.approved();
    const { traceId } = await scene.ctx.db.approval.findFirstOrThrow({ where: { id } });
    const execution = await redeemApproval(scene.agent, {
      ...{ approvalId: id, requestText: JSON.stringify(refund()) },
    });
    const open = await untilSpan("execute_tool stripe.refund", {
      ...{ op: "tool", status: "unset", endedAt: null, place: { traceId } },
      attributes: { "gen_ai.tool.name": "stripe.refund", "aos.approval_id": id },
    });
    await completeExecution(scene.agent, { id: execution.id, fence: Number(execution.fence) });
    await expect
      .poll(() => readNamed("execute_tool stripe.refund"))
      .toMatchObject([
        {
          place: open.place,
          status: "ok",
          endedAt: expect.any(String),
        },
      ]);
  });

  it("is written where no person was asked, and when nobody says how it ended", async () => {
    const { id: taskId, place } = await claimNew();
    const asked = { ...SMALL, context: { task_id: taskId } };
    const { id: decisionId } = await scene.ask(asked);
    const { leaseExpiresAt } = await startExecution(scene.agent, {
      ...{ decisionId, requestText: JSON.stringify(asked) },
    });
    const name = "execute_tool stripe.refund";
    await expect
      .poll(() => readNamed(name))
      .toMatchObject([{ endedAt: null, place: { traceId: place.traceId }, parentSpanId: place.spanId }]);
    await sweepExecutions(world.server.services, leaseExpiresAt);
    await expect
      .poll(() => readNamed(name))
      .toMatchObject([
        {
          status: "error",
          statusMessage: "unknown",
          endedAt: leaseExpiresAt.toISOString(),
        },
      ]);
  });
});

describe("run_guardrail", () => {
  const name = "run_guardrail gateway";

  it("is a check's decision within the span that asked for it", async () => {
    await checkRequest(within(scene.agent), { requestText: JSON.stringify(refund()) });
    const { id, action } = await scene.ctx.db.decision.findFirstOrThrow();
    await expect
      .poll(() => readNamed(name))
      .toMatchObject([
        {
          ...{
            op: "guardrail",
            status: "unset",
            place: { traceId: CALLER.traceId },
            parentSpanId: CALLER.spanId,
          },
          attributes: {
            ...{ "gen_ai.guardrail.verdict.type": "escalate", "gen_ai.security.policy.id": scene.asking.id },
            ...{ "aos.decision_id": id, "aos.gateway.action": action },
          },
        },
      ]);
  });

  it("is within the attempt of the task that it is for, and is not written for one without trace and task", async () => {
    const { id, place } = await claimNew();
    await scene.ask(SMALL);
    await scene.ask({ ...SMALL, context: { task_id: id } });
    await expect.poll(() => scene.ctx.db.decision.count()).toBe(2);
    await expect
      .poll(() => readNamed(name))
      .toMatchObject([
        {
          ...{ status: "ok", place: { traceId: place.traceId }, parentSpanId: place.spanId },
          attributes: { "gen_ai.guardrail.verdict.type": "allow" },
        },
      ]);
  });
});

describe("human_answer", () => {
  const parts = [{ text: "Which account?" }];

  it("is open while an agent's task waits for a person's answer", async () => {
    const { id: taskId, leaseToken, place } = await claimNew();
    const asked = { kind: "question", taskId, leaseToken, parts } as const;
    const { message } = await sendMessage(scene.agent, asked);
    const open = { op: "human", place: { traceId: place.traceId }, parentSpanId: place.spanId };
    await expect
      .poll(() => readNamed("human_answer"))
      .toMatchObject([{ ...open, status: "unset", endedAt: null }]);
    const answer = await sendMessage(person, { kind: "answer", replyToId: message.id, parts });
    await expect
      .poll(() => readNamed("human_answer"))
      .toMatchObject([
        {
          ...{ ...open, status: "ok" },
          endedAt: answer.message.createdAt.toISOString(),
        },
      ]);
    await expect.poll(() => readNamed("run_task")).toMatchObject([{ endedAt: null }]);
  });

  it("ends without an answer when its task ends", async () => {
    const { id, leaseToken } = await claimNew();
    await sendMessage(scene.agent, { kind: "question", taskId: id, leaseToken, parts });
    await rejectTask(scene.agent, { id, leaseToken });
    await expect
      .poll(() => readNamed("human_answer"))
      .toMatchObject([{ status: "unset", endedAt: expect.any(String) }]);
  });

  it("is written for a question of no task, and for no other message", async () => {
    const { message } = await sendMessage(within(scene.agent), { kind: "question", parts });
    await sendMessage(scene.agent, { kind: "notice", parts });
    await expect
      .poll(() => readNamed("human_answer"))
      .toMatchObject([{ place: { traceId: CALLER.traceId }, parentSpanId: CALLER.spanId }]);
    await sendMessage(person, { kind: "question", parts });
    await sendMessage(person, { kind: "answer", replyToId: message.id, parts });
    await expect
      .poll(() => readNamed("human_answer"))
      .toMatchObject([{ status: "ok", endedAt: expect.any(String) }]);
  });
});
