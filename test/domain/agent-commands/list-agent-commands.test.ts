import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAgentCommands } from "../../../src/domain/agent-commands/list-agent-commands.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

describe("listAgentCommands", () => {
  it("counts up to 10,000 matches exactly, and returns null above", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const agentId = await insertTestAgent(ctx);
    const total = async () => (await listAgentCommands(ctx, { first: 1 }, { agentId })).total;
    const insert = (from: number, to: number) =>
      quiet.database.query(
        `INSERT INTO agent_command (workspace_id, id, agent_id, seq, type, issued_by, expires_at)
         SELECT $1::uuid, gen_random_uuid(), $2::uuid, n, 'custom.x', '{"type":"system","id":null,"name":"test"}', now()
         FROM generate_series($3::int, $4::int) n`,
        [workspaceId, agentId, from, to],
      );
    await insert(1, 10_000);
    expect(await total()).toBe(10_000);
    await insert(10_001, 10_001);
    expect(await total()).toBeNull();
  });
});
