import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildAppendStatements } from "../../../src/domain/kernel/append-statements.ts";
import { systemCaller } from "../../../src/domain/kernel/context.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { explainAsked } from "../../support/recorded-statements.ts";

const ACTS = 400;

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

describe("many audit events of a transaction", () => {
  it.each(["custom", "generic"] as const)("are looked at a few times each (%s plan)", async (mode) => {
    const { workspaceId } = await quiet.createWorkspace();
    const act = { action: "user.role_changed", targetType: "user", targetId: workspaceId };
    const author = { ...systemCaller(workspaceId, "test"), now: null };
    const statements = buildAppendStatements(author, [
      { events: [], audit: Array.from({ length: ACTS }, () => act) },
    ]);
    const writes = statements.filter(([{ text }]) => text.includes("INSERT INTO audit_event"));
    expect(writes).toHaveLength(1);
    for (const [statement, values] of writes) {
      for (const node of await explainAsked(quiet.database, { statement, values }, mode)) {
        const read = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
        expect(read * node["Actual Loops"], node["Node Type"]).toBeLessThanOrEqual(3 * ACTS);
      }
    }
  });
});
