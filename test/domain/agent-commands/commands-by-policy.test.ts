import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { DE_ESCALATING } from "../../../src/domain/agent-commands/command-types.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { explainDecision } from "../../../src/domain/decisions/explain-decision.ts";
import { openCtx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { getReadBytes } from "../../../src/domain/kernel/read-bytes.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { simulatePolicies } from "../../../src/domain/policies/simulate-policies.ts";
import { BYTES_PER_REQUEST } from "../../../src/http/rate-limit.ts";
import { getErrorCode } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type OrderScene, createOrderScene } from "../../support/order-scene.ts";
import { recordStatements } from "../../support/recorded-statements.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function getMessage(refused: Promise<unknown>): Promise<string> {
  return refused.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
}

/** Rules, and what becomes of `custom.open` with the params `{width: 3}` that an operator issues to a robot. */
const OUTCOMES: [string, (PolicyRuleInput["effect"] | Partial<PolicyRuleInput>)[], string][] = [
  ["no policy", [], "queued"],
  ["a policy for other actions", [{ effect: "deny", actions: ["tools/call"] }], "queued"],
  ["an allow", ["allow"], "queued"],
  ["a deny", ["deny"], "policy_denied"],
  ["an ask", ["ask"], "awaiting_approval"],
  ["an ask and a deny", ["ask", "deny"], "policy_denied"],
  ["an ask and an allow", ["ask", "allow"], "awaiting_approval"],
  ["a deny by the command's type", [{ effect: "deny", actions: ["custom.*"] }], "policy_denied"],
  ["a deny of another type", [{ effect: "deny", actions: ["robot.dock"] }], "queued"],
  ["a deny for all actions", [{ effect: "deny", actions: ["*"] }], "policy_denied"],
  ["a deny for robots", [{ effect: "deny", resources: [{ type: "agent", kind: "robot" }] }], "policy_denied"],
  ["a deny for software", [{ effect: "deny", resources: [{ type: "agent", kind: "software" }] }], "queued"],
  [
    "a deny for operators",
    [{ effect: "deny", subjects: [{ type: "member", role: "operator" }] }],
    "policy_denied",
  ],
  ["a deny for admins", [{ effect: "deny", subjects: [{ type: "member", role: "admin" }] }], "queued"],
  ["a deny for agents", [{ effect: "deny", subjects: [{ type: "agent" }] }], "queued"],
  ["a deny whose condition holds", [{ effect: "deny", when: "args.width > 2" }], "policy_denied"],
  ["a deny whose condition does not hold", [{ effect: "deny", when: "args.width > 3" }], "queued"],
  ["a deny whose condition errs", [{ effect: "deny", when: "args.height > 3" }], "policy_denied"],
  [
    "a deny by what the caller did of late",
    [{ effect: "deny", when: "counters.calls_last_minute > 0" }],
    "queued",
  ],
  ["a deny that is monitored", [{ effect: "deny", mode: "monitor" }], "queued"],
];

describe("issueAgentCommands where policies are for commands", () => {
  it.each(OUTCOMES)("with %s", async (_name, rules, outcome) => {
    const { rule, issue, person, listDecisions, robotId, ctx } = await createOrderScene(world);
    for (const given of rules) {
      const { effect = "deny", ...fields } = typeof given === "string" ? { effect: given } : given;
      await rule(effect, fields);
    }
    const operator = await person();
    const issuing = issue(operator, { params: { width: 3 } });
    const command = outcome === "policy_denied" ? null : await issuing;
    expect(command?.status ?? (await getErrorCode(issuing))).toBe(outcome);
    expect(await ctx.db.agentCommand.count()).toBe(outcome === "policy_denied" ? 0 : 1);
    const [decision] = await listDecisions();
    expect(command?.decisionId ?? null).toBe(command === null ? null : (decision?.id ?? null));
    if (decision === undefined) return;
    expect(decision).toMatchObject({
      agentId: null,
      subject: { type: "member", name: operator.actor.name },
      ...{ action: "custom.open", resourceType: "agent", resourceId: robotId },
    });
  });

  it("names the policy that denies to those who may read it, and logs the decision", async () => {
    const { ctx, rule, issue, person, agent, listDecisions } = await createOrderScene(world);
    await rule("deny", { name: "hands off" });
    expect(await getMessage(issue(await person()))).toContain("The policy hands off denies custom.open");
    expect(await getMessage(issue(agent))).toContain("hands off");
    const actor = { ...agent.actor, scopes: new Set(["agent_commands:write"] as const) };
    const blind = openCtx(world.server.services, { ...agent, actor });
    expect(await getMessage(issue(blind))).not.toContain("hands off");
    const decisions = await listDecisions();
    expect(decisions).toHaveLength(3);
    expect(decisions.every(({ outcome, reason }) => outcome === "deny" && reason === "policy_deny")).toBe(
      true,
    );
    const explained = await explainDecision(ctx, { id: decisions[2]?.id ?? "" });
    expect(explained.steps.at(-1)).toMatchObject({ step: "policies", decided: true });
  });

  it.each([...DE_ESCALATING])("never asks about %s", async (type) => {
    const { rule, issue, person } = await createOrderScene(world);
    await rule("deny", { actions: ["*"] });
    expect((await issue(await person(), { type })).status).toBe("queued");
  });

  it("has an agent as subject if it issues it", async () => {
    const { rule, issue, person, agent, agentId, readApproval, ctx, listDecisions } =
      await createOrderScene(world);
    const { handle } = await ctx.db.agent.findFirstOrThrow({ where: { id: agentId } });
    await rule("ask", { subjects: [{ type: "agent", name: handle }], approval: { role: "admin" } });
    expect((await issue(await person())).status).toBe("queued");
    const { status, approvalId } = await issue(agent);
    expect(status).toBe("awaiting_approval");
    expect(await readApproval(approvalId)).toMatchObject({ agentId, role: "admin" });
    expect((await listDecisions()).map((decision) => decision.agentId)).toEqual([agentId, null]);
  });

  it("is decided for each agent of a batch: some wait, and all or none are denied", async () => {
    const scene = await createOrderScene(world);
    const { rule, person, ctx, robotId, listDecisions } = scene;
    const others = [await insertTestAgent(ctx, "robot"), await insertTestAgent(ctx, "robot")];
    await ctx.db.agent.updateMany({ where: { id: others[0] ?? "" }, data: { labels: { zone: "hot" } } });
    await rule("ask", { resources: [{ type: "agent", labels: { zone: "hot" } }] });
    const operator = await person();
    const all = { selector: { kind: "robot" }, type: "custom.open" } as const;
    const { commands } = await issueAgentCommands(operator, all);
    const statuses = new Map(commands.map(({ agentId, status }) => [agentId, status]));
    expect(Object.fromEntries(statuses)).toEqual({
      [robotId]: "queued",
      [others[0] ?? ""]: "awaiting_approval",
      [others[1] ?? ""]: "queued",
    });
    expect(await ctx.db.approval.count()).toBe(1);
    await rule("deny", { resources: [{ type: "agent", labels: { zone: "*" } }] });
    expect(await getMessage(issueAgentCommands(operator, all))).toContain("to 1 of 3 agents");
    expect(await ctx.db.agentCommand.count()).toBe(3);
    expect((await listDecisions()).map(({ outcome }) => outcome).toSorted()).toEqual([
      ...["allow", "allow", "ask", "deny"],
    ]);
  });

  it("gives a repeated Idempotency-Key the same command, whatever the policies are now", async () => {
    const { rule, person, robotId } = await createOrderScene(world);
    const operator = await person();
    await rule("ask");
    const keyed = () => {
      const idempotency = { key: "once", requestHash: Buffer.alloc(32) };
      return openCtx(world.server.services, { ...operator, idempotency });
    };
    const order = { agentId: robotId, type: "custom.open" };
    const first = await issueAgentCommands(keyed(), order);
    await rule("deny");
    const again = await issueAgentCommands(keyed(), order);
    expect(again.commands.map(({ id, status }) => [id, status])).toEqual([
      [first.commands[0]?.id, "awaiting_approval"],
    ]);
  });

  it("asks a question for each command, also for two that are the same, at most so many", async () => {
    const { rule, issue, agent, ctx } = await createOrderScene(world);
    await rule("ask");
    const [one, other] = [await issue(agent), await issue(agent)];
    expect(one.approvalId).not.toBe(other.approvalId);
    for (let open = 2; open < 100; open++) await issue(agent);
    expect(await getErrorCode(issue(agent))).toBe("rate_limited");
    expect(await ctx.db.agentCommand.count()).toBe(100);
  });

  it("is decided only as long as people can be asked, and charges each agent as a request", async () => {
    const { rule, agent, ctx } = await createOrderScene(world);
    await Promise.all(
      Array.from({ length: LIMITS.pendingApprovalsOfAgent + 30 }, () => insertTestAgent(ctx)),
    );
    await rule("ask");
    const { services, asked } = recordStatements(world.server.services);
    const { policies } = services;
    let decisions = 0;
    const counting: typeof policies = {
      ...policies,
      runInTurns: (...work) => {
        decisions++;
        return policies.runInTurns(...work);
      },
    };
    const caller = openCtx({ ...services, policies: counting }, agent);
    const all = { selector: { kind: "software" }, type: "custom.open" } as const;
    expect(await getErrorCode(issueAgentCommands(caller, all))).toBe("rate_limited");
    expect(decisions).toBe(LIMITS.pendingApprovalsOfAgent + 1);
    expect(asked.filter(({ statement }) => statement.text.includes("INSERT INTO agent_command"))).toEqual([]);
    const agents = await ctx.db.agent.count({ where: { kind: "software" } });
    expect(getReadBytes(caller) / BYTES_PER_REQUEST).toBe(agents - 1);
  });

  it("can be simulated, with the role of then", async () => {
    const { ctx, rule, issue, person } = await createOrderScene(world);
    await rule("allow");
    await issue(await person());
    const operators = { name: "no", effect: "deny" as const, actions: ["commands"] };
    const change = (role: "operator" | "admin") => ({
      ...{ from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) },
      changes: { rules: [{ ...operators, subjects: [{ type: "member", role }] }], removed: [] },
    });
    const denied = await simulatePolicies(ctx, change("operator"));
    expect(denied.changes).toMatchObject([{ before: "allow", after: "deny", count: 1 }]);
    expect(await simulatePolicies(ctx, change("admin"))).toMatchObject({ unchanged: 1, changes: [] });
  });
});

describe("a command that waits for approval", () => {
  async function wait(scene: OrderScene) {
    await scene.rule("ask");
    return scene.issue(await scene.person());
  }

  it("is not delivered, and does not hold up those behind it", async () => {
    const scene = await createOrderScene(world);
    const { id } = await wait(scene);
    const { rule, issue, person, robot } = scene;
    const stop = await issue(await person(), { type: "robot.stop" });
    expect((await nextAgentCommands(robot, {})).map((command) => command.id)).toEqual([stop.id]);
    await rule("deny", { actions: ["robot.dock"] });
    expect((await scene.readCommand(id)).status).toBe("awaiting_approval");
  });

  it("is delivered once it is approved, behind those that were issued meanwhile", async () => {
    const scene = await createOrderScene(world);
    const { id, approvalId } = await wait(scene);
    const { person, issue, robot, readCommand, readApproval } = scene;
    const later = await issue(await person(), { type: "mission.cancel" });
    const granted = await grantApproval(await person(), { id: approvalId ?? "" });
    expect(granted).toMatchObject({ status: "approved", usedCount: 1, commandId: id });
    const command = await readCommand(id);
    expect(command).toMatchObject({ status: "queued", seq: 3n, nextDeadlineAt: command.expiresAt });
    const delivered = [
      ...(await nextAgentCommands(robot, {})),
      ...(await nextAgentCommands(robot, { redeliver: true })),
    ];
    expect(delivered.map((one) => one.id)).toEqual([later.id, later.id]);
    expect((await readApproval(approvalId)).agentId).toBeNull();
  });
});
