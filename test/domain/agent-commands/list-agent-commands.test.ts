import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { listAgentCommands } from "../../../src/domain/agent-commands/list-agent-commands.ts";
import { openCtx } from "../../../src/domain/kernel/context.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const START = new Date("2100-01-01T00:00:00.000Z");

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

  it("filters by type, statuses and time, from inclusive, to exclusive", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const agentId = await insertTestAgent(ctx);
    const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
    for (const [seconds, type] of ["custom.a", "custom.b", "custom.c"].entries()) {
      const { commands } = await issueAgentCommands(openCtx(quiet.services, ctx, at(seconds)), {
        agentId,
        type,
      });
      if (type === "custom.b") await cancelAgentCommand(ctx, { id: commands[0]?.id ?? "" });
    }
    const list = async (filter: Parameters<typeof listAgentCommands>[2]) => {
      const { nodes, total } = await listAgentCommands(ctx, {}, filter);
      expect(total).toBe(nodes.length);
      return nodes.map(({ type }) => type.slice("custom.".length)).join("");
    };
    expect(await list({})).toBe("cba");
    expect(await list({ type: "custom.b" })).toBe("b");
    expect(await list({ status: "canceled" })).toBe("b");
    expect(await list({ statuses: ["queued"] })).toBe("ca");
    expect(await list({ statuses: ["queued", "canceled"] })).toBe("cba");
    expect(await list({ createdFrom: at(1) })).toBe("cb");
    expect(await list({ createdTo: at(1) })).toBe("a");
    expect(await list({ createdFrom: at(0), createdTo: at(2), statuses: ["queued"] })).toBe("a");
  });
});
