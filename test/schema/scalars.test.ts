import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const CREATE = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { task { deadlineAt } } }";

describe("DateTime", () => {
  it.each([
    ["a leap day", "2096-02-29T10:00:45Z", "2096-02-29T10:00:45.000Z"],
    ["the last moment of a month", "2096-04-30T23:59:59.999Z", "2096-04-30T23:59:59.999Z"],
    ["an offset that changes the day", "2096-02-29T23:30:00-01:00", "2096-03-01T00:30:00.000Z"],
    ["lower case", "2096-03-01t00:30:00z", "2096-03-01T00:30:00.000Z"],
  ])("accepts %s", async (_what, deadlineAt, instant) => {
    const { body } = await world.agent.graphql(CREATE, { input: { title: "x", deadlineAt } });
    expect(body).toEqual({ data: { createTask: { task: { deadlineAt: instant } } } });
  });

  it.each([
    ["a day that its month doesn't have", "2026-02-30T00:00:00Z"],
    ["the 31st of a month of 30 days", "2026-04-31T00:00:00Z"],
    ["a leap day in a normal year", "2026-02-29T00:00:00Z"],
    ["a leap day in 2100", "2100-02-29T00:00:00+01:00"],
    ["day 0", "2026-00-00T00:00:00Z"],
    ["a thirteenth month", "2026-13-01T00:00:00Z"],
    ["the hour 24", "2026-02-28T24:00:00Z"],
    ["a time without a zone", "2026-02-28T00:00:00"],
    ["a date without a time", "2026-02-28"],
    ["a number", 1_772_000_000],
  ])("rejects %s and names the field", async (_what, deadlineAt) => {
    const { body } = await world.agent.graphql(CREATE, { input: { title: "x", deadlineAt } });
    const message = `Variable "$input" got invalid value ${JSON.stringify(deadlineAt)} at "input.deadlineAt"; ${JSON.stringify(deadlineAt)} is not a valid DateTime.`;
    expect(body).toEqual({
      errors: [{ message, locations: [{ line: 1, column: 11 }], extensions: { code: "INVALID_REQUEST" } }],
    });
  });

  it("is validated alike as a literal", async () => {
    const literal = `mutation {
      createTask(input: { title: "x", deadlineAt: "2026-02-30T00:00:00Z" }) { task { uuid } }
    }`;
    const { body } = await world.agent.graphql(literal);
    expect(body.errors).toMatchObject([
      { message: '"2026-02-30T00:00:00Z" is not a valid DateTime.', locations: [{ line: 2, column: 51 }] },
    ]);
  });
});

describe("a time over REST", () => {
  it.each(["2026-02-30T00:00:00Z", "2026-04-31T00:00:00+02:00", "2100-02-29T00:00:00Z"])(
    "must be a calendar date too (%s)",
    async (deadlineAt) => {
      const { status, body } = await world.agent.post("/api/v1/tasks", {
        title: "x",
        deadline_at: deadlineAt,
      });
      expect([status, body]).toMatchObject([422, { code: "validation_failed", field: "deadline_at" }]);
    },
  );
});
