import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("an operation", () => {
  it("has at most 20,000 items in all lists of its variables, but any number in JSON", async () => {
    const query = `mutation ($run: AddEvalResultsInput!, $task: CreateTaskInput!) {
      createTask(input: $task) { clientMutationId } addEvalResults(input: $run) { clientMutationId }
    }`;
    async function send(results: number, scores: number) {
      const score = { name: "a", value: 1 };
      const result = { itemKey: "a", status: "PASSED", scores: Array.from({ length: scores }, () => score) };
      const run = { runId: randomUUID(), results: Array.from({ length: results }, () => result) };
      const list = Array.from({ length: 8000 }, () => 1);
      return world.agent.graphql(query, { run, task: { title: "a", metadata: { list }, input: list } });
    }
    const most = await send(500, 23);
    expect(most.body.errors[0].message).toBe("input: must have at most 32 parts");
    const beyond = await send(500, 24);
    expect(beyond.status).toBe(400);
    expect(beyond.body.errors[0].extensions.code).toBe("INVALID_REQUEST");
    expect(beyond.body.errors[0].message).toBe(
      "The lists of the variables can have at most 20000 items in all.",
    );
  });
});
