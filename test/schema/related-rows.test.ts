import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertTestAgent, insertTestMission } from "../support/factories.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const TOO_LARGE = [
  expect.objectContaining({ extensions: expect.objectContaining({ code: "INVALID_REQUEST" }) }),
];

describe("rows to which the rows of a list refer", () => {
  it("are not read if they have more than 4 MiB: steps", async () => {
    const { agent, ctx } = await world.another();
    for (let count = 0; count < 4; count++) {
      const missionId = await insertTestMission(ctx);
      await world.server.database.query(
        `INSERT INTO mission_step (workspace_id, mission_id, seq, key, type, result, error)
         SELECT $1::uuid, $2::uuid, n, 'k' || n, 'move', to_jsonb(repeat('x', 10000)), to_jsonb(repeat('y', 10000))
         FROM generate_series(1, 100) n`,
        [ctx.workspaceId, missionId],
      );
    }
    const query = "query ($first: Int!) { missions(first: $first) { nodes { steps { seq result error } } } }";
    const few = await agent.graphql(query, { first: 2 });
    expect(few.body.data.missions.nodes[1].steps).toHaveLength(100);
    expect(few.body.data.missions.nodes[1].steps[99]).toEqual({
      ...{ seq: 100, result: "x".repeat(10_000), error: "y".repeat(10_000) },
    });
    const many = await agent.graphql(query, { first: 4 });
    expect(many.body.errors).toEqual(expect.arrayContaining(TOO_LARGE));
  });

  it("are not read if they have more than 4 MiB: robots", async () => {
    const { agent, ctx } = await world.another();
    for (let count = 0; count < 20; count++) {
      await insertTestMission(ctx, { robotId: await insertTestAgent(ctx, "robot") });
    }
    await world.server.database.query(
      "UPDATE robot SET errors = jsonb_build_array(repeat('x', 250000)) WHERE workspace_id = $1",
      [ctx.workspaceId],
    );
    const query = "query ($first: Int!) { missions(first: $first) { nodes { robot { uuid stateSeq } } } }";
    const few = await agent.graphql(query, { first: 10 });
    expect(few.body.data.missions.nodes[9].robot).toEqual({
      uuid: expect.any(String),
      stateSeq: expect.anything(),
    });
    const many = await agent.graphql(query, { first: 20 });
    expect(many.body.errors).toEqual(expect.arrayContaining(TOO_LARGE));
  });

  it("are not read if they have more than 4 MiB: questions", async () => {
    const { agent, ctx } = await world.another();
    await world.server.database.query(
      `WITH tasks AS (INSERT INTO task (workspace_id, id, context_id, title, status, created_by)
         SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'x', 'input_required', '{"type":"system","id":null,"name":"test"}'
         FROM generate_series(1, 20) RETURNING id, context_id),
       asked AS (INSERT INTO message (workspace_id, id, context_id, task_id, role, sender, kind, parts)
         SELECT $1::uuid, gen_random_uuid(), context_id, id, 'agent', '{"type":"system","id":null,"name":"test"}', 'question',
           jsonb_build_array(jsonb_build_object('text', repeat('x', 250000))) FROM tasks RETURNING id)
       SELECT FROM asked`,
      [ctx.workspaceId],
    );
    await world.server.database.query(
      "UPDATE task SET question_id = m.id FROM message m WHERE m.task_id = task.id AND task.workspace_id = $1",
      [ctx.workspaceId],
    );
    const query = "query ($first: Int!) { tasks(first: $first) { nodes { question { uuid kind } } } }";
    const few = await agent.graphql(query, { first: 10 });
    expect(few.body.data.tasks.nodes[9].question).toEqual({ uuid: expect.any(String), kind: "QUESTION" });
    const many = await agent.graphql(query, { first: 20 });
    expect(many.body.errors).toEqual(expect.arrayContaining(TOO_LARGE));
  });
});
