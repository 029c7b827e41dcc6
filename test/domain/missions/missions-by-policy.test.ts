import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { openCtx } from "../../../src/domain/kernel/context.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { reportState } from "../../support/mission-scene.ts";
import { type OrderScene, createOrderScene } from "../../support/order-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Rules, and what becomes of a transport of one step that an operator orders of a robot. */
const OUTCOMES: [string, (PolicyRuleInput["effect"] | Partial<PolicyRuleInput>)[], string][] = [
  ["no policy", [], "pending"],
  ["a policy for other actions", [{ effect: "deny", actions: ["tools/call"] }], "pending"],
  ["a policy for other commands", [{ effect: "deny", actions: ["mission.resume"] }], "pending"],
  ["an allow", ["allow"], "pending"],
  ["a deny", ["deny"], "policy_denied"],
  ["a deny by the action's name", [{ effect: "deny", actions: ["mission.create"] }], "policy_denied"],
  ["an ask", ["ask"], "awaiting_approval"],
  ["an ask and a deny", ["ask", "deny"], "policy_denied"],
  ["an ask and an allow", ["ask", "allow"], "awaiting_approval"],
  ["a deny for robots", [{ effect: "deny", resources: [{ type: "agent", kind: "robot" }] }], "policy_denied"],
  ["a deny for other robots", [{ effect: "deny", resources: [{ type: "agent", name: "no-*" }] }], "pending"],
  [
    "a deny for operators",
    [{ effect: "deny", subjects: [{ type: "member", role: "operator" }] }],
    "policy_denied",
  ],
  ["a deny for agents", [{ effect: "deny", subjects: [{ type: "agent" }] }], "pending"],
  ["a deny by its kind", [{ effect: "deny", when: 'args.kind == "transport"' }], "policy_denied"],
  ["a deny of others by their kind", [{ effect: "deny", when: 'args.kind == "patrol"' }], "pending"],
  [
    "an ask by its steps",
    [{ effect: "ask", when: "args.steps.exists(s, s.type == 'move')" }],
    "awaiting_approval",
  ],
  ["a deny whose condition errs", [{ effect: "deny", when: "args.height > 3" }], "policy_denied"],
  ["a deny that is monitored", [{ effect: "deny", mode: "monitor" }], "pending"],
];

async function addRules(
  { rule }: OrderScene,
  rules: readonly (PolicyRuleInput["effect"] | Partial<PolicyRuleInput>)[],
): Promise<void> {
  for (const given of rules) {
    const { effect = "deny", ...fields } = typeof given === "string" ? { effect: given } : given;
    await rule(effect, fields);
  }
}

describe("createMission where policies are for missions", () => {
  it.each(OUTCOMES)("with %s", async (_name, rules, outcome) => {
    const scene = await createOrderScene(world);
    await addRules(scene, rules);
    const { create, person, listDecisions, robotId, ctx } = scene;
    const operator = await person();
    const creating = create(operator);
    const mission = outcome === "policy_denied" ? null : await creating;
    expect(mission?.status ?? (await getErrorCode(creating))).toBe(outcome);
    expect(await ctx.db.mission.count()).toBe(outcome === "policy_denied" ? 0 : 1);
    expect(await ctx.db.approval.count()).toBe(outcome === "awaiting_approval" ? 1 : 0);
    const [decision] = await listDecisions();
    expect(mission?.decisionId ?? null).toBe(mission === null ? null : (decision?.id ?? null));
    expect(mission?.approvalId ?? null).toBe(decision?.approvalId ?? null);
    if (decision === undefined) return;
    expect(decision).toMatchObject({
      agentId: null,
      subject: { type: "member", name: operator.actor.name },
      ...{ action: "mission.create", resourceType: "agent", resourceId: robotId },
    });
  });

  it("has an agent as subject if it creates it, and asks people about what the robot is to do", async () => {
    const { rule, create, agent, agentId, person, readApproval, robotId } = await createOrderScene(world);
    await rule("ask", { subjects: [{ type: "agent" }], approval: { role: "admin" } });
    expect((await create(await person())).status).toBe("pending");
    const { id, status, approvalId } = await create(agent, { priority: 7 });
    expect(status).toBe("awaiting_approval");
    const approval = await readApproval(approvalId);
    expect(approval).toMatchObject({ agentId, role: "admin", missionId: id, resourceId: robotId });
    expect(approval.request).toMatchObject({
      action: {
        name: "mission.create",
        properties: {
          arguments: {
            ...{ title: "Bring it", kind: "transport", priority: 7, deadline_at: null },
            steps: [{ key: "drive", type: "move", params: {} }],
          },
        },
      },
    });
  });

  it("reads nothing for policies where none can be for it", async () => {
    const { create, person, rule } = await createOrderScene(world);
    const operator = await person();
    async function readsForPolicies(): Promise<boolean> {
      const sent = vi.spyOn(pg.Client.prototype, "query");
      await create(operator);
      // The arguments of query() are of several types.
      const asked = sent.mock.calls.map((args) => JSON.stringify(args[0] as unknown));
      sent.mockRestore();
      return asked.some((text) => text.includes("gateway_entity"));
    }
    expect(await readsForPolicies()).toBe(false);
    await rule("deny", { actions: ["tools/call", "robot.*"] });
    expect(await readsForPolicies()).toBe(false);
    await rule("allow");
    expect(await readsForPolicies()).toBe(true);
  });

  it("gives a repeated Idempotency-Key the same mission, whatever the policies are now", async () => {
    const { rule, create, person, ctx } = await createOrderScene(world);
    const operator = await person();
    await rule("ask");
    const keyed = () => {
      const idempotency = { key: "once", requestHash: Buffer.alloc(32) };
      return openCtx(world.server.services, { ...operator, idempotency });
    };
    const first = await create(keyed());
    await rule("deny");
    expect(await create(keyed())).toMatchObject({ id: first.id, status: "awaiting_approval" });
    expect(await ctx.db.approval.count()).toBe(1);
  });

  it("asks nobody about a robot that a stop covers", async () => {
    const { rule, create, person, ctx } = await createOrderScene(world);
    await rule("ask");
    const operator = await person();
    await emergencyStop(operator, { reason: "Fire." });
    expect(await getErrorCode(create(operator))).toBe("emergency_stop");
    expect(await ctx.db.mission.count()).toBe(0);
  });

  it("is assigned at once if policies allow it", async () => {
    const { rule, create, person, robot, robotId } = await createOrderScene(world);
    await rule("allow");
    await reportState(Object.assign(robot, { robotId, seq: 0 }));
    expect(await create(await person())).toMatchObject({ status: "assigned", robotId });
  });
});

type Fleet = OrderScene & { hot: string; cold: string };

/** Two free robots with a label. The one of the scene has none, and is not free. */
async function createFleet(): Promise<Fleet> {
  const scene = await createOrderScene(world);
  const { ctx } = scene;
  const { workspaceId } = ctx;
  const [hot = "", cold = ""] = await Promise.all(
    ["hot", "cold"].map(async (zone) => {
      const robotId = await insertTestAgent(ctx, "robot");
      await ctx.db.agent.updateMany({ where: { id: robotId }, data: { labels: { zone } } });
      const robot = agentCtx(world.server, { id: robotId, workspaceId });
      await reportState(Object.assign(robot, { robotId, seq: 0 }));
      return robotId;
    }),
  );
  return { ...scene, hot, cold };
}

const HOT = { resources: [{ type: "agent" as const, labels: { zone: "hot" } }] };
const COLD = { resources: [{ type: "agent" as const, labels: { zone: "cold" } }] };
const BOTH = { labels: { zone: "*" } };
const ZONES = { resources: [{ type: "agent" as const, ...BOTH }] };

describe("a mission that leaves its robot open", () => {
  it("is given only to robots for which policies allow it, and asks nobody if there is one", async () => {
    const { rule, create, person, cold, robotId, ctx, listDecisions } = await createFleet();
    await rule("deny", HOT);
    const mission = await create(await person(), { selector: null });
    expect(mission).toMatchObject({ status: "assigned", robotId: cold });
    expect(mission.allowedRobotIds.toSorted()).toEqual([robotId, cold].toSorted());
    expect(await ctx.db.approval.count()).toBe(0);
    expect((await listDecisions()).map(({ outcome }) => outcome).toSorted()).toEqual(["allow", "deny"]);
    const next = await create(await person(), { selector: null, priority: 9 });
    expect(next.status).toBe("pending");
  });

  it("is denied if policies deny it for all, and is about those of its selector alone", async () => {
    const { rule, create, person, ctx, cold } = await createFleet();
    await rule("deny", HOT);
    const operator = await person();
    const denied = create(operator, { selector: { labels: { zone: "hot" } } });
    expect(await getErrorCode(denied)).toBe("policy_denied");
    expect(await ctx.db.mission.count()).toBe(0);
    const other = await create(operator, { selector: { labels: { zone: "cold" } } });
    expect(other).toMatchObject({ status: "assigned", robotId: cold, allowedRobotIds: [cold] });
  });

  it("asks one question about all for which policies ask, on the strictest terms", async () => {
    const { rule, create, person, hot, cold, readApproval, readMission } = await createFleet();
    await rule("ask", { ...HOT, approval: { role: "admin" } });
    await rule("ask", { ...COLD, approval: { persons: 2 } });
    await rule("deny", { resources: [{ type: "agent", name: "*" }], when: "!has(resource.labels.zone)" });
    const { id, status, approvalId, allowedRobotIds } = await create(await person(), { selector: null });
    expect(status).toBe("awaiting_approval");
    expect(allowedRobotIds.toSorted()).toEqual([hot, cold].toSorted());
    expect(await readApproval(approvalId)).toMatchObject({
      ...{ resourceType: "mission", resourceId: id, role: "admin", persons: 2 },
    });
    await grantApproval(await person("admin"), { id: approvalId ?? "" });
    expect((await readMission(id)).status).toBe("awaiting_approval");
    await grantApproval(await person("admin"), { id: approvalId ?? "" });
    expect((await readMission(id)).status).toBe("assigned");
  });

  it("is not approved if policies deny it by now for one of its robots", async () => {
    const { rule, create, person, readMission } = await createFleet();
    await rule("ask", ZONES);
    await rule("deny", { when: "!has(resource.labels.zone)" });
    const { id, approvalId } = await create(await person(), { selector: null });
    await rule("deny", HOT);
    const granting = grantApproval(await person(), { id: approvalId ?? "" });
    expect(await getErrorCode(granting)).toBe("policy_denied");
    expect((await readMission(id)).status).toBe("awaiting_approval");
  });

  it("needs a robot to decide about, at most 500", async () => {
    const { rule, create, person, ctx } = await createFleet();
    const operator = await person();
    const none = { labels: { zone: "nowhere" } };
    expect((await create(operator, { selector: none })).status).toBe("pending");
    await rule("allow");
    expect(await getErrorDetails(create(operator, { selector: none }))).toMatchObject({ field: "selector" });
    for (let made = 3; made <= 500; made++) await insertTestAgent(ctx, "robot");
    expect(await getErrorDetails(create(operator, { selector: null }))).toMatchObject({ field: "selector" });
  });

  it("is not about archived robots", async () => {
    const { rule, create, person, ctx, cold, hot } = await createFleet();
    await rule("ask", ZONES);
    await rule("deny", { when: "!has(resource.labels.zone)" });
    await archiveAgent(ctx, hot);
    expect((await create(await person(), { selector: null })).allowedRobotIds).toEqual([cold]);
  });
});
