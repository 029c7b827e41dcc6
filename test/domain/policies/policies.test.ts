import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import { listPolicies } from "../../../src/domain/policies/list-policies.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { readPolicy } from "../../../src/domain/policies/read-policy.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { validatePolicy } from "../../../src/domain/policies/validate-policy.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace("Acme")).workspaceId);
});

const REFUNDS: PolicyRuleInput = {
  name: "refunds over 500",
  effect: "ask",
  subjects: [{ type: "agent", name: "billing-*", labels: { team: "finance" } }],
  actions: ["tools/call"],
  resources: [{ type: "tool", server: "stripe", name: "stripe.refund*" }],
  when: "has(args.amount) && args.amount > 500",
  approval: { persons: 2 },
};
const ALLOW: PolicyRuleInput = { name: "reads", effect: "allow", actions: ["tools/*"] };

async function readVersions(id: string) {
  return server.database.query<{ generation: number; rule: { name: string } }>(
    "SELECT generation, rule FROM policy_version WHERE policy_id = $1 ORDER BY generation",
    [id],
  );
}

async function readGate() {
  const [row] = await server.database.query<{ gate: number }>(
    "SELECT gate_generation AS gate FROM workspace WHERE id = $1",
    [ctx.workspaceId],
  );
  return row?.gate;
}

describe("createPolicy", () => {
  it("stores the rule with its defaults, its version, event and audit event", async () => {
    const policy = await createPolicy(ctx, REFUNDS);
    expect(await readPolicy(ctx, { id: policy.id })).toMatchObject({
      ...{ name: "refunds over 500", description: null, enabled: true, mode: "enforce", effect: "ask" },
      subjects: REFUNDS.subjects,
      resources: REFUNDS.resources,
      when: REFUNDS.when,
      approval: {
        ...{ role: "operator", persons: 2, ttlSeconds: 900, validSeconds: 300, uses: 1 },
        ...{ scope: "exact", edits: false },
      },
      generation: 1,
    });
    expect(await readEventTypes(server, policy.id)).toEqual(["policy.created"]);
    expect(await readGate()).toBe(2);
    expect(await readVersions(policy.id)).toMatchObject([{ generation: 1, rule: { name: REFUNDS.name } }]);
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      ...{ action: "policy.created", target_id: policy.id },
      changes: { rule: { when: REFUNDS.when } },
    });
  });

  it("rejects a name that another policy has", async () => {
    await createPolicy(ctx, ALLOW);
    expect(await getErrorDetails(createPolicy(ctx, ALLOW))).toMatchObject({ field: "name" });
    expect(await getErrorCode(createPolicy(ctx, ALLOW))).toBe("already_exists");
  });

  it("lets one of two with the same name win", async () => {
    const made = await Promise.allSettled([createPolicy(ctx, ALLOW), createPolicy(ctx, ALLOW)]);
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(65) }, "name"],
    [{ actions: [] }, "actions"],
    [{ actions: [""] }, "actions.0"],
    [{ actions: ["*".repeat(9)] }, "actions.0"],
    [{ subjects: [] }, "subjects"],
    [{ subjects: Array.from({ length: 65 }, () => ({ type: "agent" })) }, "subjects"],
    [{ subjects: [{ type: "robot" }] }, "subjects.0.type"],
    [{ subjects: [{ type: "1x" }] }, "subjects.0.type"],
    [{ subjects: [{ type: "user", kind: "robot" }] }, "subjects.0.kind"],
    [{ subjects: [{ type: "user", role: "admin" }] }, "subjects.0.role"],
    [{ subjects: [{ type: "member" }] }, "subjects.0.role"],
    [{ subjects: [{ type: "member", role: "admin", name: "x" }] }, "subjects.0.name"],
    [{ subjects: [{ type: "agent", labels: { a: "*".repeat(9) } }] }, "subjects.0.labels.a"],
    [{ resources: [{ type: "robot", name: "arm-*" }] }, "resources.0.type"],
    [{ resources: [{ type: "record", server: "x" }] }, "resources.0.server"],
    [{ resources: [{ type: "tool", labels: { a: "b" } }] }, "resources.0.labels"],
    [{ when: "args.amount" }, "when"],
    [{ when: "x".repeat(4001) }, "when"],
    [{ approval: {} }, "approval"],
    [{ effect: "ask", approval: { persons: 3 } }, "approval.persons"],
    [{ effect: "ask", approval: { role: "viewer" } }, "approval.role"],
    [{ effect: "ask", approval: { ttlSeconds: 59 } }, "approval.ttlSeconds"],
    [{ effect: "ask", approval: { validSeconds: 86_401 } }, "approval.validSeconds"],
    [{ effect: "ask", approval: { uses: 0 } }, "approval.uses"],
  ])("rejects %j", async (fields, field) => {
    // Wrong on purpose.
    const rule = { ...ALLOW, ...fields } as PolicyRuleInput;
    expect(await getErrorDetails(createPolicy(ctx, rule))).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it("limits the size of a rule, and of all rules", async () => {
    const many = Array.from({ length: 64 }, (_, n) => ({ type: "tool", name: `${n}${"x".repeat(250)}` }));
    expect(await getErrorDetails(createPolicy(ctx, { ...ALLOW, resources: many }))).toMatchObject({
      errors: [{ detail: "must have at most 16384 bytes as JSON" }],
    });
    const { id } = await createPolicy(ctx, ALLOW);
    await server.database.query("UPDATE policy SET size = $2 WHERE id = $1", [
      id,
      LIMITS.policiesBytes - 100,
    ]);
    expect(await getErrorCode(createPolicy(ctx, { ...ALLOW, name: "another" }))).toBe("policy_too_complex");
    await updatePolicy(ctx, { id }, { ...ALLOW, name: "smaller" });
    await createPolicy(ctx, { ...ALLOW, name: "another" });
  });

  it("limits the number of policies", async () => {
    await server.database.query(
      `INSERT INTO policy (workspace_id, id, name, enabled, mode, effect, actions, is_broad, size, created_by, updated_by)
       SELECT $1, gen_random_uuid(), 'p-' || n, false, 'enforce', 'allow', '{*}', true, 100, '{}', '{}'
       FROM generate_series(1, $2::int) n`,
      [ctx.workspaceId, LIMITS.policies - 1],
    );
    const { id } = await createPolicy(ctx, ALLOW);
    expect(await getErrorDetails(createPolicy(ctx, { ...ALLOW, name: "another" }))).toMatchObject({
      errors: [{ detail: expect.stringContaining("at most 10000 policies") }],
    });
    await updatePolicy(ctx, { id }, { ...ALLOW, mode: "monitor" });
  });

  it("limits the texts that policies are found by", async () => {
    const [few, more] = [63, 64].map((count) =>
      Array.from({ length: count }, (_, n) => ({ type: "tool", name: `tool-${n}` })),
    );
    const { id } = await createPolicy(ctx, { ...ALLOW, resources: more });
    await server.database.query("UPDATE policy SET index_keys = $2 WHERE id = $1", [
      id,
      LIMITS.policyKeys - 63,
    ]);
    const another = { ...ALLOW, name: "another" };
    expect(await getErrorCode(createPolicy(ctx, { ...another, resources: more }))).toBe("policy_too_complex");
    const { id: fitting } = await createPolicy(ctx, { ...another, resources: few });
    expect(await getErrorCode(updatePolicy(ctx, { id: fitting }, { ...another, resources: more }))).toBe(
      "policy_too_complex",
    );
    await updatePolicy(ctx, { id }, { ...ALLOW, resources: few });
    await updatePolicy(ctx, { id: fitting }, { ...another, resources: more });
  });

  it("rejects fields that it does not know", async () => {
    const rule = { ...ALLOW, subject: [] } as PolicyRuleInput;
    expect(await getErrorCode(createPolicy(ctx, rule))).toBe("unknown_field");
  });

  it("limits enabled policies that most requests have to be checked by", async () => {
    const rest = Array.from({ length: LIMITS.broadPolicies - 1 }, (_, n) => `b-${n}`);
    await server.database.query(
      `INSERT INTO policy (workspace_id, id, name, enabled, mode, effect, actions, is_broad, size, created_by, updated_by)
       SELECT $1, gen_random_uuid(), name, true, 'enforce', 'allow', '{*}', true, 100, '{}', '{}' FROM unnest($2::text[]) name`,
      [ctx.workspaceId, rest],
    );
    const policy = await createPolicy(ctx, ALLOW);
    const another = { ...ALLOW, name: "another" };
    expect(await getErrorCode(createPolicy(ctx, another))).toBe("policy_too_complex");
    await createPolicy(ctx, { ...another, name: "narrow", resources: [{ type: "tool", name: "a*" }] });
    const disabled = await createPolicy(ctx, { ...another, enabled: false });
    expect(await getErrorCode(updatePolicy(ctx, { id: disabled.id }, another))).toBe("policy_too_complex");
    await updatePolicy(ctx, { id: policy.id }, { ...ALLOW, description: "still fits" });
  });
});

describe("updatePolicy", () => {
  it("replaces the rule, and keeps the version before", async () => {
    const { id } = await createPolicy(ctx, REFUNDS);
    const policy = await updatePolicy(ctx, { id, ifGeneration: 1 }, { ...ALLOW, mode: "monitor" });
    expect(policy).toMatchObject({
      ...{ name: "reads", effect: "allow", mode: "monitor", generation: 2 },
      ...{ subjects: null, resources: null, when: null, approval: null },
    });
    expect((await readVersions(id)).map(({ generation, rule }) => [generation, rule.name])).toEqual([
      [1, "refunds over 500"],
      [2, "reads"],
    ]);
    expect(await readEventTypes(server, id)).toEqual(["policy.created", "policy.updated"]);
    expect(await readGate()).toBe(3);
  });

  it("changes nothing for an equal rule", async () => {
    const { id } = await createPolicy(ctx, REFUNDS);
    expect(await updatePolicy(ctx, { id }, REFUNDS)).toMatchObject({ generation: 1 });
    expect(await readEventTypes(server, id)).toEqual(["policy.created"]);
    expect(await readGate()).toBe(2);
  });

  it("rejects another generation, the name of another policy and an unknown id", async () => {
    const { id } = await createPolicy(ctx, REFUNDS);
    await createPolicy(ctx, ALLOW);
    expect(await getErrorCode(updatePolicy(ctx, { id, ifGeneration: 2 }, REFUNDS))).toBe(
      "precondition_failed",
    );
    expect(await getErrorCode(updatePolicy(ctx, { id }, ALLOW))).toBe("already_exists");
    expect(await getErrorCode(updatePolicy(ctx, { id: crypto.randomUUID() }, ALLOW))).toBe("not_found");
  });
});

describe("deletePolicy", () => {
  it("deletes the policy, but not its versions", async () => {
    const { id } = await createPolicy(ctx, REFUNDS);
    await deletePolicy(ctx, { id });
    expect(await getErrorCode(readPolicy(ctx, { id }))).toBe("not_found");
    expect(await readVersions(id)).toHaveLength(1);
    expect(await readEventTypes(server, id)).toEqual(["policy.created", "policy.deleted"]);
    expect(await getErrorCode(deletePolicy(ctx, { id }))).toBe("not_found");
  });
});

describe("listPolicies", () => {
  it("lists policies with a stored total, all or by effect, mode and whether they are enabled", async () => {
    await createPolicy(ctx, REFUNDS);
    await createPolicy(ctx, ALLOW);
    await createPolicy(ctx, { ...ALLOW, name: "off", enabled: false, mode: "monitor" });
    const names = async (filter: Parameters<typeof listPolicies>[2]) => {
      const { nodes, total } = await listPolicies(ctx, {}, filter);
      return [total, ...nodes.map(({ name }) => name)];
    };
    expect(await names({})).toEqual([3, "off", "reads", "refunds over 500"]);
    expect(await names({ effect: "ask" })).toEqual([1, "refunds over 500"]);
    expect(await names({ mode: "monitor" })).toEqual([1, "off"]);
    expect(await names({ enabled: true })).toEqual([2, "reads", "refunds over 500"]);
  });
});

describe("the rights to policies", () => {
  it("let admins write who entered their password recently, and every member read", async () => {
    const { id } = await createPolicy(ctx, ALLOW);
    const open = (role: "admin" | "operator" | "viewer", isSudo = true) =>
      personCtx(server, { id: crypto.randomUUID(), workspaceId: ctx.workspaceId }, { role, isSudo });
    const rule = { ...ALLOW, name: "mine" };
    expect(await getErrorCode(createPolicy(open("operator"), rule))).toBe("forbidden");
    expect(await getErrorCode(createPolicy(open("admin", false), rule))).toBe("sudo_required");
    expect(await getErrorCode(updatePolicy(open("operator"), { id }, rule))).toBe("forbidden");
    expect(await getErrorCode(updatePolicy(open("admin", false), { id }, rule))).toBe("sudo_required");
    expect(await getErrorCode(deletePolicy(open("operator"), { id }))).toBe("forbidden");
    expect(await getErrorCode(deletePolicy(open("admin", false), { id }))).toBe("sudo_required");
    expect(await createPolicy(open("admin"), rule)).toMatchObject({ name: "mine" });
    expect(await readPolicy(open("viewer"), { id })).toMatchObject({ name: "reads" });
    expect((await listPolicies(open("viewer"), {})).total).toBe(2);
    expect(validatePolicy(open("viewer"), rule)).toEqual({ errors: [], warnings: [] });
  });
});

describe("validatePolicy", () => {
  it("says what is wrong, and where", () => {
    const rule = { ...ALLOW, name: "x".repeat(65), when: 'agent.hndle == "x"' };
    expect(validatePolicy(ctx, rule).errors).toEqual([
      { field: "name", message: expect.any(String), start: null, end: null },
      { field: "when", message: "No such key: hndle.", start: 6, end: 11 },
    ]);
  });

  it("warns of what a deny or ask reads without looking whether it is there", () => {
    const when = 'args.amount > 500 && has(args.to) && args.to == "x" && agent.labels.team == "a"';
    const { errors, warnings } = validatePolicy(ctx, { ...REFUNDS, when });
    expect(errors).toEqual([]);
    expect(warnings.map(({ start, end }) => when.slice(start ?? 0, end ?? 0))).toEqual([
      "args.amount",
      "agent.labels.team",
    ]);
    expect(validatePolicy(ctx, { ...ALLOW, when }).warnings).toEqual([]);
  });
});
