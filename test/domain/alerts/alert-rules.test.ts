import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ALERT_RULES } from "../../../src/domain/alerts/alert-rule.ts";
import { createAlertRule } from "../../../src/domain/alerts/create-alert-rule.ts";
import { deleteAlertRule } from "../../../src/domain/alerts/delete-alert-rule.ts";
import { listAlertRules } from "../../../src/domain/alerts/list-alert-rules.ts";
import { readAlertRule } from "../../../src/domain/alerts/read-alert-rule.ts";
import { updateAlertRule } from "../../../src/domain/alerts/update-alert-rule.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { lastAudit } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const RULE = { name: "A long queue", metric: "queue_depth", threshold: 2 } as const;

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = userCtx(server, (await server.createWorkspace()).workspaceId, "admin");
});

describe("alert rules", () => {
  it("are created, changed and deleted with an event and an audit row each", async () => {
    const { id } = await createAlertRule(ctx, RULE);
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      ...{ action: "alert_rule.created", target_id: id, changes: { metric: "queue_depth", threshold: 2 } },
    });
    const changed = await updateAlertRule(ctx, { id, threshold: 5, forSeconds: 60, ifGeneration: 1 });
    expect(changed).toMatchObject({ threshold: 5, forSeconds: 60, generation: 2 });
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "alert_rule.updated",
      changes: { threshold: { from: 2, to: 5 }, for_seconds: { from: 0, to: 60 } },
    });
    expect(await updateAlertRule(ctx, { id, threshold: 5 })).toMatchObject({ generation: 2 });
    expect(await getErrorCode(updateAlertRule(ctx, { id, threshold: 6, ifGeneration: 1 }))).toBe(
      "precondition_failed",
    );
    await deleteAlertRule(ctx, { id });
    expect(await getErrorCode(readAlertRule(ctx, { id }))).toBe("not_found");
    const events = await server.database.query(
      "SELECT type FROM event WHERE workspace_id = $1 AND subject_id = $2 ORDER BY seq",
      [ctx.workspaceId, id],
    );
    expect(events).toEqual([
      ...[{ type: "alert_rule.created" }, { type: "alert_rule.updated" }, { type: "alert_rule.deleted" }],
    ]);
  });

  it("have names of their own, and there are at most a hundred", async () => {
    const { id } = await createAlertRule(ctx, RULE);
    const other = await createAlertRule(ctx, { ...RULE, name: "another" });
    expect(await getErrorCode(createAlertRule(ctx, RULE))).toBe("already_exists");
    expect(await getErrorCode(updateAlertRule(ctx, { id: other.id, name: RULE.name }))).toBe(
      "already_exists",
    );
    expect(await getErrorCode(updateAlertRule(ctx, { id, name: RULE.name, threshold: 3 }))).toBe("");
    for (let nth = 2; nth < ALERT_RULES; nth++) await createAlertRule(ctx, { ...RULE, name: `rule ${nth}` });
    expect(await getErrorDetails(createAlertRule(ctx, { ...RULE, name: "one more" }))).toMatchObject({
      errors: [{ field: "name", detail: expect.stringContaining("at most 100") }],
    });
    const page = await listAlertRules(ctx, { first: 5 }, { state: "ok", enabled: true });
    expect(page.nodes).toHaveLength(5);
    expect(page.total).toBe(ALERT_RULES);
  });

  it.each([
    ["windowSeconds", { windowSeconds: 60 }],
    ["windowSeconds", { metric: "task_failure_rate" }],
    ["windowSeconds", { metric: "task_failure_rate", windowSeconds: 59 }],
    ["windowSeconds", { metric: "command_ack_p95", windowSeconds: 86_460 }],
    ["windowSeconds", { metric: "cost_usd", windowSeconds: 3660 }],
    ["watched.agentId", { watched: { agentId: crypto.randomUUID() } }],
    ["watched.agentId", { metric: "agents_offline", watched: { agentId: crypto.randomUUID() } }],
    ["watched.queue", { metric: "approval_age", watched: { queue: "q" } }],
    ["watched.queue", { watched: { queue: "Q !" } }],
    ["watched.labelValue", { metric: "agents_offline", watched: { label: "team" } }],
    ["watched.label", { metric: "agents_offline", watched: { ...agentAndLabel() } }],
    ["threshold", { threshold: -1 }],
    ["threshold", { threshold: Infinity }],
    ["forSeconds", { forSeconds: 86_401 }],
    ["cooldownSeconds", { cooldownSeconds: -1 }],
    ["name", { name: "a\u202Eb" }],
  ] as const)("refuse %s in %j", async (field, fields) => {
    expect(await getErrorDetails(createAlertRule(ctx, { ...RULE, ...fields }))).toMatchObject({
      errors: [{ field }],
    });
  });

  it("are for admins to write, and for who reads events to read", async () => {
    const { id } = await createAlertRule(ctx, RULE);
    const operator = userCtx(server, ctx.workspaceId, "operator");
    const agent = agentCtx(server, { id: await insertTestAgent(ctx), workspaceId: ctx.workspaceId });
    for (const by of [operator, agent]) {
      expect(await getErrorCode(createAlertRule(by, { ...RULE, name: "x" }))).toBe("forbidden");
      expect(await getErrorCode(updateAlertRule(by, { id, threshold: 1 }))).toBe("forbidden");
      expect(await getErrorCode(deleteAlertRule(by, { id }))).toBe("forbidden");
    }
    expect(await readAlertRule(userCtx(server, ctx.workspaceId, "viewer"), { id })).toMatchObject(RULE);
    const elsewhere = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await getErrorCode(readAlertRule(elsewhere, { id }))).toBe("not_found");
    expect(await getErrorCode(updateAlertRule(elsewhere, { id, threshold: 1 }))).toBe("not_found");
    expect(await getErrorCode(deleteAlertRule(elsewhere, { id }))).toBe("not_found");
  });
});

function agentAndLabel() {
  return { agentId: crypto.randomUUID(), label: "team", labelValue: "a" };
}
