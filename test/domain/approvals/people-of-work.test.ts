import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../src/db/sql.ts";
import { findPeopleOfWork } from "../../../src/domain/approvals/find-people-of-work.ts";
import { createActorRecord } from "../../../src/domain/kernel/actor.ts";
import { userCtx } from "../../support/callers.ts";
import { countBlocks, explainList } from "../../support/explain-list.ts";
import { createAgentCommand, insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const COPY_COMMANDS = sql`
INSERT INTO agent_command (workspace_id, id, agent_id, seq, type, expires_at, issued_by, status, finished_at)
SELECT workspace_id, gen_random_uuid(), agent_id, seq + n, type, expires_at, issued_by, 'succeeded', now()
FROM agent_command, generate_series(1, 3000) n WHERE workspace_id = $1::uuid AND agent_id = $2::uuid`;

const COPY_MISSIONS = sql`
INSERT INTO mission (workspace_id, id, title, kind, created_by, robot_id, status, finished_at)
SELECT workspace_id, gen_random_uuid(), title, kind, created_by, robot_id, 'completed', now()
FROM mission, generate_series(1, 3000) WHERE workspace_id = $1::uuid AND robot_id = $2::uuid`;

describe("findPeopleOfWork", () => {
  it("reads no more of an agent that has done much", async () => {
    const { ctx, workspaceId } = await world.another();
    const person = userCtx(world.server, workspaceId, "operator");
    const agentId = await insertTestAgent(ctx, "robot");
    const by = { ...createActorRecord(person.actor) };
    await createAgentCommand(ctx, agentId, { status: "running", issuedBy: by });
    await insertTestMission(ctx, { robotId: agentId, status: "running", createdBy: by });
    await ctx.run(COPY_COMMANDS, [ctx.workspaceId, agentId]);
    await ctx.run(COPY_MISSIONS, [ctx.workspaceId, agentId]);
    await world.server.database.query("VACUUM ANALYZE agent_command, mission, task, agent");
    const asked = { agentId, taskId: null, subject: null };
    const people: string[][] = [];
    const plan = await explainList(world.server, ctx, async (listening) => {
      people.push(await findPeopleOfWork({ run: listening.read, ctx: listening }, asked));
    });
    expect(people).toEqual([[by.id]]);
    expect(countBlocks(plan)).toBeLessThan(30);
  });
});
