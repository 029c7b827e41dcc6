import { GraphQLObjectType, parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventFilter } from "../../src/domain/event-log/event-filter.ts";
import type { StoredEvent } from "../../src/domain/event-log/stored-event.ts";
import { eventCursor } from "../../src/domain/kernel/cursors.ts";
import { createAgent } from "../../src/domain/agents/create-agent.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { createGroup } from "../../src/gateway/event-group.ts";
import type { EventRequest } from "../../src/live/event-stream.ts";
import { schema } from "../../src/schema/schema.ts";
import { createKeyWith } from "../support/callers.ts";
import { type TestSocket, agentSocket, nextFrame, subscribe } from "../support/socket-client.ts";
import { storedEvent } from "../support/stored-event.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** The fields of an event: its own, and those that are looked up. */
function listFields(isLookedUp: boolean): string[] {
  const type = schema.getType("Event");
  if (!(type instanceof GraphQLObjectType)) throw new Error("no events in the schema");
  return Object.values(type.getFields())
    .filter(({ extensions }) => (extensions["isLookedUp"] === true) === isLookedUp)
    .map(({ name }) => (name === "actor" ? "actor { type uuid name }" : name));
}

/** The start of a stream, and its frames. */
function requestFor(filter: Partial<EventFilter> = {}): EventRequest {
  const start = { epoch: crypto.randomUUID(), seq: 0 };
  return {
    workspaceId: world.workspaceId,
    start: { from: start, reset: null, newest: start, oldest: start },
    filter: { exact: null, prefixes: null, subjectId: null, subjectTypes: null, ...filter },
  };
}

function createTestGroup(text: string, variableValues: object = {}, filter: Partial<EventFilter> = {}) {
  const args = {
    schema,
    document: parse(text),
    variableValues: { ...variableValues },
    contextValue: world.ctx,
  };
  return createGroup(args, requestFor(filter), world.ctx.log);
}

function render(fields: readonly string[], event: StoredEvent = storedEvent()) {
  const text = `subscription { events { ... on Event { ${fields.join(" ")} } } }`;
  return JSON.parse(createTestGroup(text).rendering.render({ kind: "event", event }).toString());
}

describe("an event of a stream", () => {
  it("resolves synchronously, with every field that isn't looked up, for any reader", () => {
    const { data, errors } = render(listFields(false));
    expect(errors).toBeUndefined();
    expect(data.events).toMatchObject({ seq: 1, type: "task.created", actor: { name: "test" } });
  });

  it("becomes a logged error with only its cursor, and blocks nobody, if a field is asynchronous", () => {
    const event = storedEvent({ seq: 7 });
    for (const field of listFields(true)) {
      const { data, errors, extensions } = render([field], event);
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: "INTERNAL" } }]);
      expect(extensions).toEqual({ cursor: eventCursor(event.epoch, 7n) });
    }
    expect(listFields(true)).not.toEqual([]);
  });

  it("becomes the same error if its data is too deep or a field can't be resolved", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    for (const broken of [storedEvent({ data: deep }), storedEvent({ agentId: Object(1n) })]) {
      const { data, errors, extensions } = render(["seq", "agentUuid", "data"], broken);
      expect(data).toBeNull();
      expect(errors).toEqual([
        expect.objectContaining({
          message: "Something went wrong on our side.",
          extensions: { code: "INTERNAL" },
        }),
      ]);
      expect(extensions).toEqual({ cursor: eventCursor(broken.epoch, 1n) });
    }
  });
});

describe("an event that can't be shown", () => {
  it("arrives as an error with its cursor, and the stream and clients continue after it", async () => {
    const { apiKey, ctx, workspaceId } = await world.another();
    const query = `subscription ($after: Cursor) { events(after: $after) {
      ... on StreamOpened { cursor } ... on Event { cursor subjectUuid actor { type } } } }`;
    async function follow(after: string | null): Promise<TestSocket> {
      const socket = await agentSocket(world.server.url, apiKey);
      socket.send({ type: "subscribe", id: "events", payload: { query, variables: { after } } });
      await nextFrame(socket);
      return socket;
    }
    const first = await follow(null);
    const [row] = await world.server.database.query<{ epoch: string; seq: string }>(
      `WITH head AS (UPDATE workspace_head SET seq = seq + 1 WHERE workspace_id = $1 RETURNING epoch, seq)
       INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
       SELECT $1, seq, gen_random_uuid(), 'task.updated', 'task', gen_random_uuid(), '{"type": "nobody"}', '{}', now()
       FROM head RETURNING (SELECT epoch FROM head), seq`,
      [workspaceId],
    );
    const task = await createTask(ctx, { title: "After it" });
    const { type, payload } = await first.next();
    const cursor = eventCursor(row?.epoch ?? "", BigInt(row?.seq ?? 0));
    expect(type).toBe("next");
    expect(payload).toMatchObject({
      data: null,
      errors: [{ extensions: { code: "INTERNAL" } }],
      extensions: { cursor },
    });
    expect((await nextFrame(first)).subjectUuid).toBe(task.id);
    const second = await follow(cursor);
    expect((await nextFrame(second)).subjectUuid).toBe(task.id);
    for (const { socket } of [first, second]) socket.close();
  });
});

describe("what subscriptions share", () => {
  const FIELDS = "... on Event { seq data @include(if: $data) }";

  it.each([
    [
      "they start at different cursors",
      `subscription ($data: Boolean = true) { events(after: "x") { ${FIELDS} } }`,
    ],
    [
      "they filter different events",
      `subscription ($data: Boolean = true) { events(types: ["x"], subject: "y") { ${FIELDS} } }`,
    ],
    [
      "their filters are variables",
      `subscription ($data: Boolean = true, $x: ID) { events(subject: $x) { ${FIELDS} } }`,
    ],
    [
      "their operations have different names",
      `subscription Named($data: Boolean = true) { events { ${FIELDS} } }`,
    ],
    [
      "they are formatted differently",
      `subscription($data:Boolean=true){events{...on Event{seq,data@include(if:$data)}}}`,
    ],
  ])("is rendered once even if %s", (_what, text) => {
    const plain = createTestGroup(`subscription ($data: Boolean = true) { events { ${FIELDS} } }`).rendering
      .key;
    expect(createTestGroup(text, { x: "z" }).rendering.key).toBe(plain);
  });

  it("is separate for different fields, aliases, fragments, variables or defaults", () => {
    const keys = [
      createTestGroup(`subscription ($data: Boolean = true) { events { ${FIELDS} } }`),
      createTestGroup(`subscription ($data: Boolean = false) { events { ${FIELDS} } }`),
      createTestGroup(`subscription ($data: Boolean = true) { events { ${FIELDS} } }`, { data: true }),
      createTestGroup(`subscription ($data: Boolean = true) { events { ${FIELDS} } }`, { data: false }),
      createTestGroup("subscription { events { ... on Event { seq } } }"),
      createTestGroup("subscription { events { ... on Event { number: seq } } }"),
      createTestGroup("subscription { told: events { ... on Event { seq } } }"),
      createTestGroup("subscription { events { ...F } } fragment F on Event { seq }"),
      createTestGroup("subscription { events { ...F } } fragment F on Event { type }"),
      createTestGroup("subscription { ...S } fragment S on Subscription { events { ... on Event { seq } } }"),
    ].map(({ rendering }) => rendering.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("reaches only subscribers that want and may see the same events", () => {
    const text = "subscription { events { ... on Event { seq } } }";
    const keys = [
      createTestGroup(text),
      createTestGroup(text, {}, { exact: ["task.created"], prefixes: [] }),
      createTestGroup(text, {}, { exact: [], prefixes: ["task."] }),
      createTestGroup(text, {}, { subjectId: "x" }),
      createTestGroup(text, {}, { subjectTypes: ["task"] }),
      createTestGroup(text, {}, { subjectTypes: ["mission"] }),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(createTestGroup(text, {}, { subjectId: "x" }).key).toBe(keys[3]);
  });

  it("is never an event one of them may not see, for the same document and different scopes", async () => {
    const [tasks, agents] = await Promise.all(
      ["tasks:read", "agents:read"].map(async (scope) => {
        const key = await createKeyWith(world.server, world.workspaceId, ["events:read", scope]);
        const socket = await agentSocket(world.server.url, key);
        subscribe(socket, "events");
        expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamOpened" });
        return socket;
      }),
    );
    if (tasks === undefined || agents === undefined) throw new Error("no sockets");
    const first = await createTask(world.ctx, { title: "Theirs" });
    const { id: agentId } = await createAgent(world.ctx, { handle: "newcomer" });
    const last = await createTask(world.ctx, { title: "Theirs too" });
    expect((await nextFrame(tasks)).subjectUuid).toBe(first.id);
    expect((await nextFrame(tasks)).subjectUuid).toBe(last.id);
    expect((await nextFrame(agents)).subjectUuid).toBe(agentId);
    for (const { socket } of [tasks, agents]) socket.close();
  });
});
