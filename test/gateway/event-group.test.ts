import { type ExecutionArgs, GraphQLObjectType, parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredEvent } from "../../src/domain/event-log/stored-event.ts";
import { createGroup } from "../../src/gateway/event-group.ts";
import { schema } from "../../src/schema/schema.ts";
import { type World, createWorld } from "../support/world.ts";

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const EVENT: StoredEvent = {
  ...{
    epoch: crypto.randomUUID(),
    seq: 1,
    id: crypto.randomUUID(),
    type: "task.created",
    subjectType: "task",
  },
  ...{ subjectId: crypto.randomUUID(), agentId: crypto.randomUUID(), data: {}, traceparent: null },
  actor: { type: "system", id: null, name: "test" },
  occurredAt: "2026-01-01T00:00:00.000Z",
};

/** The fields of an event, those that it has in itself and those that are looked up. */
function fieldsOf(isLookedUp: boolean): string[] {
  const type = schema.getType("Event");
  if (!(type instanceof GraphQLObjectType)) throw new Error("no events in the schema");
  return Object.values(type.getFields())
    .filter(({ extensions }) => (extensions["isLookedUp"] === true) === isLookedUp)
    .map(({ name }) => (name === "actor" ? "actor { type uuid name }" : name));
}

function rendered(fields: readonly string[]) {
  const text = `subscription { events { ... on Event { ${fields.join(" ")} } } }`;
  const args: ExecutionArgs = { schema, document: parse(text), contextValue: world.ctx };
  const start = { epoch: EVENT.epoch, seq: 0 };
  const request = {
    workspaceId: world.workspaceId,
    start: { from: start, reset: null, newest: start, oldest: start },
    filter: { exact: null, prefixes: null, subjectId: null, subjectTypes: null },
  };
  const body = createGroup(args, request, world.ctx.log).render({ kind: "event", event: EVENT });
  return JSON.parse(body.toString());
}

describe("an event of a stream", () => {
  it("is there at once, with every field that is not marked as looked up", () => {
    const { data, errors } = rendered(fieldsOf(false));
    expect(errors).toBeUndefined();
    expect(data.events).toMatchObject({ seq: 1, type: "task.created", actor: { name: "test" } });
  });

  it("is a fault that is logged and tells nothing, and holds up nobody, where one is not", () => {
    for (const field of fieldsOf(true)) {
      const { data, errors } = rendered([field]);
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: { code: "INTERNAL" } }]);
    }
    expect(fieldsOf(true)).not.toEqual([]);
    expect(world.server.logged.some((line) => line.includes("a field of an event is not there"))).toBe(true);
  });
});
