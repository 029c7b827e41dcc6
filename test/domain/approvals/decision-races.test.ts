import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { getCurrentHash } from "../../../src/domain/approvals/move-approval.ts";
import { revokeApproval } from "../../../src/domain/approvals/revoke-approval.ts";
import { sweepApprovals } from "../../../src/domain/approvals/sweep-approvals.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { createPerson, beginTestSession } from "../../support/people.ts";
import { runs } from "../../support/property-runs.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { untilTurn } from "../../support/until-turn.ts";

const ACTS = [
  "grant",
  "edit",
  "deny",
  "redeem",
  "cancel",
  "revoke",
  "expire",
  "lapse",
  "change",
  "stop",
] as const;

/** What somebody does, on one of two nodes and a little later than the others. */
type Act = { what: (typeof ACTS)[number]; person: number; node: number; turns: number };

type Terms = { persons: number; uses: number };

const WEIGHTS: Partial<Record<Act["what"], number>> = { grant: 8, edit: 2, deny: 2, redeem: 8 };

const act: fc.Arbitrary<Act> = fc.record({
  what: fc.oneof(...ACTS.map((what) => ({ weight: WEIGHTS[what] ?? 1, arbitrary: fc.constant(what) }))),
  person: fc.nat(2),
  node: fc.nat(1),
  turns: fc.nat(8),
});

const plays = fc.record({
  terms: fc.record({ persons: fc.constantFrom(1, 1, 2), uses: fc.constantFrom(1, 2) }),
  moments: fc.array(fc.array(act, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
});

/** Whoever comes second is told so. Anything else is a fault. */
const REFUSALS = [
  ...["invalid_state", "precondition_failed", "validation_failed", "policy_denied", "emergency_stop"],
  ...["approval_required", "approval_expired", "already_executed"],
];

let world: TestWorld;
let second: TestServer;
let ctx: Ctx;
let agents: Ctx[];
let people: Ctx[][];
let policies: Map<string, { id: string; rule: PolicyRuleInput }>;
let made = 0;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
  const nodes = [world.server, second];
  const scene = await createGatewayScene(world);
  ({ ctx } = scene);
  const { workspaceId } = ctx;
  agents = nodes.map((node) => agentCtx(node, { id: scene.agentId, workspaceId }));
  const tokens = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const person = await createPerson(world.server, workspaceId, { role: "operator" });
      return beginTestSession(world.server, person);
    }),
  );
  people = await Promise.all(
    nodes.map((node) => Promise.all(tokens.map((token) => openSessionCtx(node, token)))),
  );
  policies = new Map();
  for (const [persons, uses] of [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ] as const) {
    const tool = nameTool({ persons, uses });
    const approval = { persons, uses, edits: true };
    const resources = [{ type: "tool", name: tool }];
    const rule: PolicyRuleInput = { name: tool, effect: "ask", actions: ["tools/call"], resources, approval };
    policies.set(tool, { id: (await createPolicy(ctx, rule)).id, rule });
  }
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

function nameTool({ persons, uses }: Terms): string {
  return `bank.pay_${persons}_${uses}`;
}

/** One question to people. `over` says what has ended it: nothing that begins later may use it. Its events are those after `after`. */
type Play = { id: string; tool: string; requestText: string; over: Set<Act["what"]>; after: number };

async function begin(terms: Terms): Promise<Play> {
  const tool = nameTool(terms);
  const request = refund({ amount: ++made }, { resource: { type: "tool", id: tool } });
  const requestText = JSON.stringify(request);
  const [agent = ctx] = agents;
  const [head] = await world.server.database.query<{ seq: string }>(
    "SELECT seq FROM workspace_head WHERE workspace_id = $1",
    [ctx.workspaceId],
  );
  const { approval } = await checkRequest(agent, { requestText, acceptEdits: true });
  return { id: approval?.id ?? "", tool, requestText, over: new Set(), after: Number(head?.seq) };
}

async function perform(play: Play, { what, person, node, turns }: Act, requestHash: string): Promise<void> {
  const { id, tool, requestText } = play;
  const [by = ctx, agent = ctx] = [people[node]?.[person], agents[node]];
  const { query } = world.server.database;
  await untilTurn(turns);
  switch (what) {
    case "grant":
      return void (await grantApproval(by, { id, requestHash }));
    case "edit":
      return void (await grantApproval(by, { id, requestHash, arguments: { amount: 0, by: person } }));
    case "deny":
      return void (await denyApproval(by, { id, requestHash, comment: "No." }));
    case "redeem":
      return void (await redeemApproval(agent, { approvalId: id, requestText }));
    case "cancel":
      return void (await cancelApproval(agent, { id }));
    case "revoke":
      return void (await revokeApproval(by, { id, reason: "No." }));
    case "expire":
      await query("UPDATE approval SET expires_at = now() WHERE id = $1 AND status = 'pending'", [id]);
      return void (await sweepApprovals(agent.services));
    case "lapse":
      return void (await query(
        "UPDATE approval SET approved_until = now() WHERE id = $1 AND status = 'approved'",
        [id],
      ));
    case "change": {
      const { id: policyId, rule } = policies.get(tool) ?? { id: "", rule: undefined };
      if (rule === undefined) throw new Error("an unknown policy");
      return void (await updatePolicy(ctx, { id: policyId }, { ...rule, description: `Change ${++made}` }));
    }
    case "stop":
      return void (await emergencyStop(ctx, { reason: "fire" }));
  }
}

/** What ends an approval whose answer was a success. */
const ENDS = new Set<Act["what"]>(["deny", "cancel", "revoke", "change", "stop"]);

/** Performs all at once. */
async function performAll(play: Play, acts: readonly Act[]): Promise<void> {
  const seen = await readApproval(play);
  const wasOver = play.over.size > 0 || isLapsed(seen);
  const hash = getCurrentHash(seen);
  const results = await Promise.allSettled(acts.map((one) => perform(play, one, hash)));
  for (const [index, result] of results.entries()) {
    const what = acts[index]?.what ?? "redeem";
    if (result.status === "rejected") expect(REFUSALS, String(result.reason)).toContain(result.reason?.code);
    else if (what === "redeem") expect(wasOver, "something ended was used").toBe(false);
    else if (ENDS.has(what)) play.over.add(what);
  }
}

function isLapsed({ status, approvedUntil }: Awaited<ReturnType<typeof readApproval>>): boolean {
  return status !== "pending" && (approvedUntil ?? 0) <= new Date();
}

async function readApproval({ id }: Play) {
  return ctx.db.approval.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
  });
}

const DECISIONS = new Set(["approval.decided", "approval.expired", "approval.cancelled"]);

/** One outcome, of which row, events, reviews, executions and the audit log say the same. */
async function expectOneOutcome(play: Play, { persons, uses }: Terms): Promise<void> {
  const { id, over } = play;
  const approval = await readApproval(play);
  const { status, usedCount, revokedAt } = approval;
  const events = await world.server.database.query<{ type: string; status: string }>(
    `SELECT type, data->>'status' AS status FROM event WHERE workspace_id = $1 AND seq > $2
       AND (subject_id = $3 OR subject_type <> 'approval') ORDER BY seq`,
    [ctx.workspaceId, play.after, id],
  );
  const decided = events.filter(({ type }) => DECISIONS.has(type));
  expect(decided.map((event) => event.status)).toEqual(status === "pending" ? [] : [status]);
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === "approval.revoked")).toHaveLength(revokedAt === null ? 0 : 1);
  const end = types.findIndex((type) => type === "approval.revoked" || type === "stop.started");
  if (end >= 0) expect(types.slice(end)).not.toContain("execution.started");
  if (over.has("deny")) expect(status).toBe("denied");
  if (over.has("cancel")) expect(status).toBe("cancelled");
  if (over.has("revoke"))
    expect({ status, revokedAt }).toEqual({ status: "approved", revokedAt: expect.any(Date) });
  const executions = await ctx.db.execution.findMany({
    where: { approvalId: id },
    orderBy: { useNumber: "asc" },
  });
  expect(executions.map(({ useNumber }) => useNumber)).toEqual(
    Array.from({ length: usedCount }, (_, n) => n + 1),
  );
  expect(usedCount).toBeLessThanOrEqual(status === "approved" ? uses : 0);
  const hash = getCurrentHash(approval);
  for (const { requestHash } of executions) expect(Buffer.from(requestHash).toString("hex")).toBe(hash);
  const reviews = await ctx.db.approvalReview.findMany({ where: { approvalId: id } });
  const approving = reviews.filter(
    (one) => one.verdict === "approve" && Buffer.from(one.requestHash).toString("hex") === hash,
  );
  if (status === "approved") expect(approving.length).toBeGreaterThanOrEqual(persons);
  const audited = await world.server.database.query<{ action: string }>(
    "SELECT action FROM audit_event WHERE target_id = $1 AND action <> 'approval.reviewed' ORDER BY seq",
    [id],
  );
  expect(audited.map(({ action }) => action)).toEqual([
    ...(status === "approved" ? ["approval.granted"] : status === "denied" ? ["approval.denied"] : []),
    // A stop revokes it too, and has an audit row of its own.
    ...(approval.revokedReason === "No." ? ["approval.revoked"] : []),
  ]);
}

describe("an approval on which people, its agent, policies, time and a stop act at once, on two nodes", () => {
  it("has one outcome, and is used no more than approved", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plays, async ({ terms, moments }) => {
        const play = await begin(terms);
        for (const acts of moments) await performAll(play, acts);
        await expectOneOutcome(play, terms);
        if (play.over.has("stop")) await releaseEmergencyStop(ctx, { reason: "over" });
      }),
      { numRuns: runs(100), endOnFailure: true },
    );
    const wrong = await world.server.database.query(
      `SELECT facet FROM collection_total t WHERE workspace_id = $1 AND collection = 'approvals' AND total <> (
         SELECT count(*) FROM approval a
         WHERE a.workspace_id = t.workspace_id AND t.facet IN ('all', a.status::text))`,
      [ctx.workspaceId],
    );
    expect(wrong).toEqual([]);
  });
});
