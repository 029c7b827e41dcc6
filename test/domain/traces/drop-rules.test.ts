import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listDropRules } from "../../../src/domain/traces/drop-rules/list-drop-rules.ts";
import { setDropRules } from "../../../src/domain/traces/drop-rules/set-drop-rules.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode } from "../../support/callers.ts";
import { type OtlpMessage, createSpan, newTraceId } from "../../support/otlp.ts";
import { personCtx } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { type TraceScene, createCallSpan, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

let server: QuietServices;
let scene: TraceScene;
let admin: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  admin = asRole("admin");
});

function asRole(role: "admin" | "operator" | "viewer"): Ctx {
  return personCtx(server, { id: crypto.randomUUID(), workspaceId: scene.workspaceId }, { role });
}

async function send(...spans: OtlpMessage[]) {
  return sendSpans(
    scene.agent,
    spans.map((span) => createSpan({ ...span, traceId: newTraceId() })),
  );
}

async function readNames(): Promise<string[]> {
  const rows = await server.database.query<{ name: string }>(
    `SELECT n.name FROM span s JOIN span_name n ON n.workspace_id = s.workspace_id AND n.id = s.name_id
     WHERE s.workspace_id = $1 ORDER BY 1`,
    [scene.workspaceId],
  );
  return rows.map(({ name }) => name);
}

describe("setDropRules", () => {
  it("keeps spans with that name from being stored, and counts them", async () => {
    await setDropRules(admin, { rules: [{ name: "fs *" }, { scope: "auth*", name: "check" }] });
    const receipt = await send(
      { name: "fs readFile" },
      { name: "check" },
      { name: "work" },
      { name: "fs stat" },
    );
    expect(receipt).toEqual({ accepted: 2, rejected: 0, dropped: 2, message: null });
    expect(await readNames()).toEqual(["check", "work"]);
    await send({ name: "fs open" });
    expect(await listDropRules(asRole("viewer"))).toEqual([
      { scope: "*", name: "fs *", dropped: 3, lastDroppedAt: expect.any(Date) },
      { scope: "auth*", name: "check", dropped: 0, lastDroppedAt: null },
    ]);
  });

  it("drops by the library's name", async () => {
    await setDropRules(admin, { rules: [{ scope: "te*t" }] });
    expect(await send({ name: "work" })).toMatchObject({ accepted: 0, dropped: 1 });
    await setDropRules(admin, { rules: [{ scope: "t*a" }] });
    expect(await send({ name: "work" })).toMatchObject({ accepted: 1, dropped: 0 });
  });

  it("never drops what a call used", async () => {
    await setDropRules(admin, { rules: [{ name: "chat *" }] });
    const call = createCallSpan({ model: "gpt-5", input: 1000, output: 200 }, {});
    expect(await send({ ...call, name: "chat gpt-5" })).toMatchObject({ accepted: 1, dropped: 0 });
  });

  it("replaces the rules, keeps the counts of those that stay, and is audited once", async () => {
    await setDropRules(admin, { rules: [{ name: "a" }, { name: "b" }] });
    await send({ name: "a" });
    const rules = [{ name: "a" }, { name: "c" }];
    for (const _ of [1, 2]) {
      expect(await setDropRules(admin, { rules })).toMatchObject([
        { name: "a", dropped: 1 },
        { name: "c", dropped: 0 },
      ]);
    }
    const audited = await server.database.query<{ changes: unknown }>(
      "SELECT changes FROM audit_event WHERE workspace_id = $1 AND action = 'workspace.drop_rules_changed' ORDER BY seq",
      [scene.workspaceId],
    );
    expect(audited).toHaveLength(2);
    expect(audited[1]?.changes).toEqual({
      added: [{ scope: "*", name: "c" }],
      removed: [{ scope: "*", name: "b" }],
    });
  });

  it("refuses what would drop everything, and what is no pattern", async () => {
    const many = Array.from({ length: 51 }, (_, at) => ({ name: `n${at}` }));
    for (const rules of [
      ...[[{}], [{ scope: "*", name: "**" }], [{ name: "a" }, { name: "a" }], many],
      ...[[{ name: "*a*a*a*a*a*a*a*a*" }], [{ name: "x".repeat(257) }], [{ name: "" }]],
    ]) {
      expect(await getErrorCode(setDropRules(admin, { rules }))).toBe("validation_failed");
    }
    expect(await listDropRules(admin)).toEqual([]);
  });

  it("refuses those who are no admins, and agents", async () => {
    for (const ctx of [asRole("operator"), scene.agent])
      expect(await getErrorCode(setDropRules(ctx, { rules: [{ name: "a" }] }))).toBe("forbidden");
    const reader = agentCtx(
      server,
      { id: scene.agentId, workspaceId: scene.workspaceId },
      { scopes: ["tasks:read"] },
    );
    expect(await getErrorCode(listDropRules(reader))).toBe("insufficient_scope");
  });

  it("is for its workspace alone", async () => {
    const other = await createTraceScene(server);
    await setDropRules(admin, { rules: [{ name: "work" }] });
    const receipt = await sendSpans(other.agent, [createSpan({ traceId: newTraceId(), name: "work" })]);
    expect(receipt).toMatchObject({ accepted: 1, dropped: 0 });
    expect(await listDropRules(other.system)).toEqual([]);
  });
});
