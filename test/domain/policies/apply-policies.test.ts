import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { applyPolicies, diffPolicies } from "../../../src/domain/policies/file/apply-policies.ts";
import { exportPolicies } from "../../../src/domain/policies/file/export-policies.ts";
import { importPolicies, previewPolicies } from "../../../src/domain/policies/file/import-policies.ts";
import { type PolicyRule, policyRule } from "../../../src/domain/policies/policy-rule.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { POLICY_FILE as FILE, parseRules as parse } from "../../support/policy-file.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

function toFile(rules: PolicyRule[]) {
  return { rules, hash: "0".repeat(64) };
}

describe("applyPolicies", () => {
  let server: TestServer;
  let ctx: Ctx;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    ctx = server.systemCtx((await server.createWorkspace("Acme")).workspaceId);
  });

  it("adds, changes and, if asked to, removes policies, and leaves equal ones as they are", async () => {
    await createPolicy(ctx, { name: "extra", effect: "deny", actions: ["x"] });
    expect(await applyPolicies(ctx, toFile(parse(FILE)), { prune: false })).toMatchObject({
      changed: [],
      unchanged: 0,
    });
    expect(await ctx.db.policy.findMany({ orderBy: { name: "asc" } })).toMatchObject([
      { name: "extra", fromFile: false },
      { name: "refunds over 500", fromFile: true },
      { name: "tools", fromFile: true },
    ]);
    const changed = parse(FILE.replace("enabled: false", "enabled: true"));
    expect(await diffPolicies(ctx, changed)).toMatchObject({
      ...{ added: [], changed: [{ rule: { name: "tools" }, fields: ["enabled"] }], unchanged: 1 },
      missing: [{ name: "extra" }],
    });
    await applyPolicies(ctx, toFile(changed), { prune: true });
    const kept = await ctx.db.policy.findMany({ orderBy: { name: "asc" } });
    expect(kept.map(({ name, generation }) => [name, generation])).toEqual([
      ["refunds over 500", 1],
      ["tools", 2],
    ]);
    const exported = await exportPolicies(ctx);
    expect(exported.count).toBe(2);
    expect(await diffPolicies(ctx, parse(exported.text))).toMatchObject({
      ...{ added: [], changed: [], missing: [], unchanged: 2 },
    });
  });

  it("changes nothing if one of the policies can't be saved", async () => {
    await server.database.query(
      `INSERT INTO policy (workspace_id, id, name, enabled, mode, effect, actions, is_broad, size, created_by, updated_by)
       SELECT $1, gen_random_uuid(), 'b-' || n, true, 'enforce', 'allow', '{*}', true, 100, '{}', '{}'
       FROM generate_series(1, 499) n`,
      [ctx.workspaceId],
    );
    const broad = (name: string) => policyRule.parse({ name, effect: "allow", actions: ["*"] });
    const applied = applyPolicies(ctx, toFile([broad("first"), broad("second")]), { prune: false });
    expect(await getErrorCode(applied)).toBe("policy_too_complex");
    expect(await ctx.db.policy.count({ where: { name: "first" } })).toBe(0);
  });

  it("changes at most 500 policies at once, and is for admins", async () => {
    const rules = Array.from({ length: 501 }, (_, n) =>
      policyRule.parse({ name: `p${n}`, effect: "allow", actions: ["*"], enabled: false }),
    );
    expect(await getErrorCode(applyPolicies(ctx, toFile(rules), { prune: false }))).toBe("validation_failed");
    const operator = userCtx(server, ctx.workspaceId, "operator");
    expect(await getErrorCode(applyPolicies(operator, toFile([]), { prune: false }))).toBe("forbidden");
    await applyPolicies(ctx, toFile(rules.slice(1)), { prune: false });
    expect((await exportPolicies(ctx)).count).toBe(500);
  });

  it("refuses if somebody else wrote since the diff, so that one of two at once wins", async () => {
    const { generation } = await diffPolicies(ctx, parse(FILE));
    const both = [FILE, FILE.replace("enabled: false", "enabled: true")].map(async (text) =>
      applyPolicies(ctx, toFile(parse(text)), { prune: false, expect: generation }),
    );
    const settled = await Promise.all(both.map(getErrorCode));
    expect(settled.toSorted()).toEqual(["", "precondition_failed"]);
    expect(await ctx.db.policy.count()).toBe(2);
  });

  it("writes an audit event that names the file, and none for a file that changes nothing", async () => {
    const file = toFile(parse(FILE));
    await applyPolicies(ctx, file, { prune: false });
    await applyPolicies(ctx, file, { prune: false });
    expect(await ctx.db.auditEvent.findMany({ where: { action: "policies.applied" } })).toMatchObject([
      { changes: { file_sha256: file.hash, added: 2, changed: 0, removed: 0 } },
    ]);
  });
});

describe("importPolicies", () => {
  let server: TestServer;
  let ctx: Ctx;

  beforeAll(async () => {
    server = await startTestServer();
    ctx = server.systemCtx((await server.createWorkspace("Acme")).workspaceId);
  });

  afterAll(() => server.close());

  it("applies what the preview showed, from a thread of its own", async () => {
    const { diff } = await previewPolicies(ctx, FILE);
    expect(diff).toMatchObject({ added: [{ name: "refunds over 500" }, { name: "tools" }], changed: [] });
    await importPolicies(ctx, { text: FILE, prune: true, ifGeneration: diff?.generation ?? 0 });
    expect((await exportPolicies(ctx)).text).toBe(FILE);
    const again = importPolicies(ctx, { text: FILE, prune: true, ifGeneration: diff?.generation ?? 0 });
    expect(await getErrorCode(again)).toBe("precondition_failed");
  });

  it("says what is wrong with a file, and where", async () => {
    const broken = FILE.replace("effect: allow", "effect: alow");
    expect(await previewPolicies(ctx, broken)).toMatchObject({
      ...{ diff: null, problems: [{ line: 20, column: 13, message: expect.stringMatching(/^effect: /) }] },
    });
    const refused = importPolicies(ctx, { text: broken, prune: false });
    expect(await getErrorDetails(refused)).toMatchObject({
      errors: [{ field: "text", detail: expect.stringMatching(/^line 20, column 13: effect: /) }],
    });
  });

  it("is for admins, and for one file at a time", async () => {
    const operator = userCtx(server, ctx.workspaceId, "operator");
    expect(await getErrorCode(previewPolicies(operator, FILE))).toBe("forbidden");
    expect(await getErrorCode(importPolicies(operator, { text: FILE, prune: false }))).toBe("forbidden");
    const both = await Promise.all([FILE, FILE].map((text) => getErrorCode(previewPolicies(ctx, text))));
    expect(both.toSorted()).toEqual(["", "rate_limited"]);
  });
});
