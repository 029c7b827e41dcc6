import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { readWorkspace } from "../../../src/domain/workspaces/read-workspace.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { newSigner } from "../../support/audit-checkpoints.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { readEventTypes, lastAudit, personCtx } from "../../support/person-ctx.ts";
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

describe("updateWorkspace", () => {
  it("changes the given fields, and records the old values", async () => {
    const { workspaceId } = ctx;
    await updateWorkspace(ctx, { name: "Globex", eventRetentionDays: 30 });
    expect(await readWorkspace(ctx)).toMatchObject({
      ...{ name: "Globex", eventRetentionDays: 30, missionRetentionDays: 90, generation: 2 },
    });
    expect(await lastAudit(server, workspaceId)).toEqual({
      action: "workspace.updated",
      target_id: workspaceId,
      changes: { name: { from: "Acme", to: "Globex" }, event_retention_days: { from: 7, to: 30 } },
    });
    await updateWorkspace(ctx, { name: "Globex" });
    expect(await readEventTypes(server, workspaceId)).toEqual(["workspace.created", "workspace.updated"]);
  });

  it.each([
    { name: "" },
    { name: "x".repeat(101) },
    { eventRetentionDays: 0 },
    { eventRetentionDays: 366 },
    { eventRetentionDays: 1.5 },
    { missionRetentionDays: 3651 },
  ])("rejects %j", async (input) => {
    expect(await getErrorCode(updateWorkspace(ctx, input))).toBe("validation_failed");
    expect((await readWorkspace(ctx)).generation).toBe(1);
  });

  it("limits the audit log's retention only with a signing key", async () => {
    const { services, workspaceId } = ctx;
    const signing = openCtx({ ...services, auditSigner: await newSigner() }, ctx);
    expect(await getErrorDetails(updateWorkspace(ctx, { auditRetentionDays: 30 }))).toMatchObject({
      errors: [{ field: "auditRetentionDays", detail: expect.stringContaining("AUDIT_KEY") }],
    });
    expect(await getErrorCode(updateWorkspace(signing, { auditRetentionDays: 0 }))).toBe("validation_failed");
    expect(await updateWorkspace(signing, { auditRetentionDays: 30 })).toMatchObject({
      auditRetentionDays: 30,
    });
    // Unchanged settings need no key.
    await updateWorkspace(ctx, { name: "Globex", auditRetentionDays: 30 });
    expect(await updateWorkspace(ctx, { auditRetentionDays: null })).toMatchObject({
      auditRetentionDays: null,
    });
    expect(await lastAudit(server, workspaceId)).toMatchObject({
      changes: { audit_retention_days: { from: 30, to: null } },
    });
  });

  it("lets only owners with a recent password decide on keys of suspended creators", async () => {
    const setting = { revokesKeysOfSuspendedCreator: true };
    const admin = userCtx(server, ctx.workspaceId, "admin");
    const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
    const stale = personCtx(server, person, { role: "owner", isSudo: false });
    expect(await getErrorCode(updateWorkspace(admin, setting))).toBe("forbidden");
    expect(await getErrorCode(updateWorkspace(stale, setting))).toBe("sudo_required");
    expect(await getErrorCode(updateWorkspace(stale, { name: "x" }))).toBe("sudo_required");
    expect(await getErrorCode(updateWorkspace(userCtx(server, ctx.workspaceId, "owner"), setting))).toBe("");
    expect((await readWorkspace(ctx)).revokesKeysOfSuspendedCreator).toBe(true);
  });

  it("requires an admin", async () => {
    for (const role of ["operator", "viewer"] as const) {
      const by = userCtx(server, ctx.workspaceId, role);
      expect(await getErrorCode(updateWorkspace(by, { name: "x" }))).toBe("forbidden");
    }
  });
});
