import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAuditKey } from "../../support/audit-checkpoints.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld({ AUDIT_KEY: newAuditKey() });
});

afterAll(() => world.close());

const FORM = {
  ...{ act: "general", name: "Renamed", event_retention_days: "14", mission_retention_days: "120" },
  ...{ message_retention_days: "31", task_retention_days: "32", agent_command_retention_days: "33" },
  ...{ eval_run_retention_days: "400", budget_retention_days: "100" },
  ...{ decision_retention_days: "34", approval_retention_days: "401" },
  ...{ webhook_delivery_retention_days: "7", mcp_call_retention_days: "29" },
  ...{ trace_retention_days: "35", content_retention_days: "15" },
};

describe("/settings/workspace", () => {
  it("changes the workspace", async () => {
    const admin = await world.enter("admin");
    expect((await admin.submit("/settings/workspace", FORM)).location).toBe(
      "/settings/workspace?notice=saved",
    );
    const page = await admin.get("/settings/workspace");
    for (const value of ["Renamed", "14", "120", "31", "32", "33", "34", "35", "15", "400", "401"])
      expect(page.text).toContain(`value="${value}"`);
  });

  it.each([
    ["name", { name: "" }],
    ["eventRetentionDays", { event_retention_days: "366" }],
    ["eventRetentionDays", { event_retention_days: "many" }],
    ["missionRetentionDays", { mission_retention_days: "99999999999" }],
    ["missionRetentionDays", { mission_retention_days: "1.5" }],
    ["taskRetentionDays", { task_retention_days: "0" }],
    ["evalRunRetentionDays", { eval_run_retention_days: "" }],
    ["auditRetentionDays", { audit_retention_days: "0" }],
  ])("rejects an invalid %s at its field and keeps the entered values", async (field, wrong) => {
    const admin = await world.enter("admin");
    const refused = await admin.submit("/settings/workspace", { ...FORM, ...wrong });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`id="${field}-error"`);
    for (const value of Object.values(wrong)) expect(refused.text).toContain(`value="${value}"`);
  });

  it("changes how decisions are logged, and what hooks answer", async () => {
    const admin = await world.enter("admin");
    const form = {
      act: "gateway",
      decisionLog: "ALL",
      decisionDurability: "STRICT",
      hookAllow: "NO_DECISION",
    };
    expect((await admin.submit("/settings/workspace", form)).status).toBe(303);
    const [row] = await world.server.database.query(
      "SELECT decision_log, decision_durability, hook_allow FROM workspace WHERE id = $1",
      [world.workspaceId],
    );
    expect(row).toEqual({ decision_log: "all", decision_durability: "strict", hook_allow: "no_decision" });
    const { text } = await admin.get("/settings/workspace");
    for (const value of ["ALL", "STRICT", "NO_DECISION"]) {
      expect(text).toMatch(new RegExp(`value="${value}"[^>]* checked`));
    }
    const wrong = await admin.submit("/settings/workspace", { ...form, decisionLog: "SOME" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('id="decisionLog-error"');
  });

  it("changes what is stored of traces", async () => {
    const admin = await world.enter("admin");
    const form = {
      ...{ act: "traces", captureContent: "OFF", spansPerDay: "1000000000" },
      auditContentReads: "true",
    };
    expect((await admin.submit("/settings/workspace", form)).status).toBe(303);
    const [row] = await world.server.database.query(
      "SELECT capture_content, audit_content_reads, spans_per_day FROM workspace WHERE id = $1",
      [world.workspaceId],
    );
    expect(row).toEqual({ capture_content: "off", audit_content_reads: true, spans_per_day: 1_000_000_000 });
    const { text } = await admin.get("/settings/workspace");
    expect(text).toMatch(/value="OFF"[^>]* checked/);
    expect(text).toMatch(/name="auditContentReads" value="true" checked/);
    expect(text).toContain('value="1000000000"');
    const { auditContentReads: _off, ...others } = form;
    expect((await admin.submit("/settings/workspace", others)).status).toBe(303);
    expect((await admin.get("/settings/workspace")).text).toMatch(
      /name="auditContentReads" value="true"[^>]*(?<!checked)>/,
    );
  });

  it.each([
    ["captureContent", { captureContent: "SOME" }],
    ["spansPerDay", { spansPerDay: "1000000001" }],
    ["spansPerDay", { spansPerDay: "-1" }],
    ["spansPerDay", { spansPerDay: "99999999999" }],
  ])("rejects an invalid %s of traces at its field (%j)", async (field, wrong) => {
    const admin = await world.enter("admin");
    const form = { act: "traces", captureContent: "FULL", spansPerDay: "5" };
    const refused = await admin.submit("/settings/workspace", { ...form, ...wrong });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`id="${field}-error"`);
    if ("spansPerDay" in wrong) expect(refused.text).toContain(`value="${wrong.spansPerDay}"`);
  });

  it("changes which spans are not stored, and keeps what was entered if it is invalid", async () => {
    const admin = await world.enter("admin");
    const form = { act: "drop_rules", rules: "@opentelemetry/instrumentation-fs |\r\n\r\n GET /health* \n" };
    expect((await admin.submit("/settings/workspace", form)).status).toBe(303);
    const { text } = await admin.get("/settings/workspace");
    expect(text).toContain("* | GET /health*\n@opentelemetry/instrumentation-fs | *</textarea>");
    expect(text).not.toContain("What each rule has dropped");
    await world.server.database.query("UPDATE span_drop_rule SET dropped = 1234, last_dropped_at = now()");
    expect((await admin.get("/settings/workspace")).text).toContain("1,234");
    const refused = await admin.submit("/settings/workspace", { ...form, rules: "fs | *\n* | *" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('id="rules-error"');
    expect(refused.text).toContain("fs | *\n* | *</textarea>");
    expect((await admin.submit("/settings/workspace", { ...form, rules: "" })).status).toBe(303);
  });

  it("keeps the audit log forever if its days are empty", async () => {
    const admin = await world.enter("admin");
    const days = async () => {
      const [row] = await world.server.database.query<{ days: number | null }>(
        "SELECT audit_retention_days AS days FROM workspace WHERE id = $1",
        [world.workspaceId],
      );
      return row?.days;
    };
    expect((await admin.submit("/settings/workspace", { ...FORM, audit_retention_days: "30" })).status).toBe(
      303,
    );
    expect(await days()).toBe(30);
    expect((await admin.get("/settings/workspace")).text).toContain('value="30"');
    expect((await admin.submit("/settings/workspace", { ...FORM, audit_retention_days: " " })).status).toBe(
      303,
    );
    expect(await days()).toBeNull();
  });

  it("shows the settings, but requires a recent password to change them", async () => {
    const admin = await world.enter("admin");
    expect((await admin.get("/settings/workspace")).text).not.toContain("disabled");
    await world.endSudo(admin.person);
    const page = await admin.get("/settings/workspace");
    expect(page.text).toContain("confirm it's you first");
    expect(page.text).toMatch(/<fieldset[^>]* disabled/);
    const refused = await admin.submit("/settings/workspace", FORM);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("Nothing has been changed");
    const { password } = admin.person;
    const fields = { password, return_to: "/settings/workspace" };
    expect((await admin.submit("/users/confirm-password", fields)).location).toBe("/settings/workspace");
    expect((await admin.submit("/settings/workspace", FORM)).status).toBe(303);
  });

  it("lets only owners decide on keys of suspended members", async () => {
    const admin = await world.enter("admin");
    expect((await admin.get("/settings/workspace")).text).not.toContain("revokes_keys");
    expect((await admin.submit("/settings/workspace", { act: "keys", revokes_keys: "true" })).status).toBe(
      403,
    );
    const owner = await world.enter("owner");
    expect((await owner.submit("/settings/workspace", { act: "keys", revokes_keys: "true" })).status).toBe(
      303,
    );
    expect((await owner.get("/settings/workspace")).text).toMatch(/name="revokes_keys"[^>]*checked/);
    expect((await owner.submit("/settings/workspace", { act: "keys" })).status).toBe(303);
    expect((await owner.get("/settings/workspace")).text).not.toMatch(/name="revokes_keys"[^>]*checked/);
  });
});
