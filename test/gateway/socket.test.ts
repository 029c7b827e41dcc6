import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listEvents } from "../../src/domain/event-log/list-events.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import { agentSocket, nextFrame, personSocket, subscribe } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let url: string;

beforeAll(async () => {
  world = await createWorld();
  ({ url } = world.server);
});

afterAll(() => world.server.close());

describe("events over a socket", () => {
  it("arrive live, once and in order, after a frame with the cursor", async () => {
    const socket = await agentSocket(url, world.apiKey);
    subscribe(socket, "one");
    expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamOpened", live: true });
    const titles = Array.from({ length: 20 }, (_, index) => `Task ${index}`);
    const tasks = await Promise.all(titles.map((title) => createTask(world.ctx, { title })));
    const frames = [];
    while (frames.length < tasks.length) frames.push(await nextFrame(socket));
    expect(frames.every(({ __typename }) => __typename === "Event")).toBe(true);
    expect(new Set(frames.map(({ subjectUuid }) => subjectUuid))).toEqual(new Set(tasks.map(({ id }) => id)));
    const seqs = frames.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => seqs[0] + index));
    socket.socket.close();
  });

  it("resume after any cursor without gaps or repetitions", async () => {
    const { cursor } = await listEvents(world.ctx, {});
    const tasks = [];
    for (let made = 0; made < 5; made++) tasks.push(await createTask(world.ctx, { title: "One more" }));
    const socket = await agentSocket(url, world.apiKey);
    subscribe(socket, "all", { after: cursor, types: ["task.*"] });
    expect(await nextFrame(socket)).toEqual({ __typename: "StreamOpened", cursor, live: false });
    const seen = [];
    for (const _ of tasks) seen.push(await nextFrame(socket));
    expect(seen.map(({ subjectUuid }) => subjectUuid)).toEqual(tasks.map(({ id }) => id));
    subscribe(socket, "rest", { after: seen[2].cursor, types: ["task.*"] });
    await nextFrame(socket);
    expect(await nextFrame(socket)).toEqual(seen[3]);
    expect(await nextFrame(socket)).toEqual(seen[4]);
    socket.socket.close();
  });

  it("catch up from the database with thousands of events", async () => {
    const { ctx, apiKey, workspaceId } = await world.another();
    const { cursor } = await listEvents(ctx, {});
    await world.server.database.query(
      `WITH head AS (UPDATE workspace_head SET seq = seq + 3000 WHERE workspace_id = $1 RETURNING seq - 3000 AS base)
       INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
       SELECT $1, base + n, gen_random_uuid(), 'task.updated', 'task', gen_random_uuid(),
         '{"type":"system","id":null,"name":"test"}', '{}', now() FROM head, generate_series(1, 3000) n`,
      [workspaceId],
    );
    const socket = await agentSocket(url, apiKey);
    subscribe(socket, "all", { after: cursor, types: ["task.*"] });
    const { cursor: _cursor, ...opened } = await nextFrame(socket);
    expect(opened).toEqual({ __typename: "StreamOpened", live: false });
    const seqs: number[] = [];
    while (seqs.length < 3000) seqs.push((await nextFrame(socket)).seq);
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    const task = await createTask(ctx, { title: "Live again" });
    expect(await nextFrame(socket)).toMatchObject({ subjectUuid: task.id });
    socket.socket.close();
  });

  it("are filtered by type and subject", async () => {
    const socket = await agentSocket(url, world.apiKey);
    const [one, two] = [
      await createTask(world.ctx, { title: "1" }),
      await createTask(world.ctx, { title: "2" }),
    ];
    const { oldestCursor: after } = await listEvents(world.ctx, {});
    for (const subject of [two.id, toGlobalId("Task", two.id)]) {
      subscribe(socket, subject, { after, subject, types: ["task.*"] });
      await nextFrame(socket);
      expect((await nextFrame(socket)).subjectUuid).toBe(two.id);
      socket.send({ type: "complete", id: subject });
    }
    subscribe(socket, "none", { after, subject: one.id, types: ["mission.*"] });
    expect((await nextFrame(socket)).__typename).toBe("StreamOpened");
    socket.socket.close();
  });

  it("report a gap if a cursor has expired or its history was replaced, and continue", async () => {
    const { ctx, apiKey, workspaceId } = await world.another();
    const { cursor } = await listEvents(ctx, {});
    await createTask(ctx, { title: "Gone" });
    await createTask(ctx, { title: "Kept" });
    const { query } = world.server.database;
    await query("UPDATE workspace_head SET min_seq = seq WHERE workspace_id = $1", [workspaceId]);
    const socket = await agentSocket(url, apiKey);
    subscribe(socket, "expired", { after: cursor });
    expect(await nextFrame(socket)).toEqual({ __typename: "StreamOpened", cursor, live: false });
    const reset = await nextFrame(socket);
    // The event that opened this socket came after it.
    expect(reset).toMatchObject({ __typename: "StreamReset", reason: "CURSOR_EXPIRED" });
    await query("UPDATE workspace_head SET epoch = gen_random_uuid() WHERE workspace_id = $1", [workspaceId]);
    const changed = await nextFrame(socket);
    expect(changed).toMatchObject({ __typename: "StreamReset", reason: "EPOCH_CHANGED" });
    const task = await createTask(ctx, { title: "After the backup" });
    expect(await nextFrame(socket)).toMatchObject({ __typename: "Event", subjectUuid: task.id });
    subscribe(socket, "old", { after: cursor });
    expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamOpened", cursor });
    expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamReset", reason: "EPOCH_CHANGED" });
    socket.socket.close();
  });

  it("are rejected without the scope, for another workspace's cursor and an invalid one", async () => {
    const narrow = await agentSocket(url, await narrowKey());
    subscribe(narrow, "x");
    expect(await narrow.next()).toMatchObject({
      id: "x",
      payload: { errors: [{ extensions: { code: "INSUFFICIENT_SCOPE" } }] },
    });
    expect(await narrow.next()).toEqual({ type: "complete", id: "x" });
    const socket = await agentSocket(url, world.apiKey);
    const { cursor } = await listEvents((await world.another()).ctx, {});
    for (const variables of [{ after: cursor }, { after: "x" }, { types: ["!"] }, { subject: "x" }]) {
      subscribe(socket, "x", variables);
      const { payload } = await socket.next();
      expect(payload.errors[0].extensions.code).toBe("VALIDATION_FAILED");
      expect((await socket.next()).type).toBe("complete");
    }
    socket.socket.close();
    narrow.socket.close();
  });

  it("end when they are completed, without another frame", async () => {
    const socket = await agentSocket(url, world.apiKey);
    subscribe(socket, "one");
    await nextFrame(socket);
    socket.send({ type: "complete", id: "one" });
    subscribe(socket, "two");
    await nextFrame(socket);
    const task = await createTask(world.ctx, { title: "For two" });
    expect(await socket.next()).toMatchObject({
      id: "two",
      payload: { data: { events: { subjectUuid: task.id } } },
    });
    socket.socket.close();
  });
});

async function narrowKey(): Promise<string> {
  const { body } = await world.agent.post("/api/v1/agent_tokens", { scopes: ["tasks:read"] });
  return body.token;
}

describe("a subscription over a socket", () => {
  it.each([
    "subscription { events @skip(if: true) { __typename } }",
    "subscription { ... @include(if: false) { events { __typename } } }",
    "subscription { ...F } fragment F on Subscription { events @skip(if: true) { __typename } }",
    "subscription { ...F @skip(if: true) } fragment F on Subscription { events { __typename } }",
  ])("is rejected for a conditional root field, and the socket stays open: %s", async (query) => {
    const socket = await agentSocket(url, world.apiKey);
    socket.send({ type: "subscribe", id: "x", payload: { query } });
    expect((await socket.next()).payload[0]).toMatchObject({ extensions: { code: "INVALID_REQUEST" } });
    subscribe(socket, "y");
    expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamOpened" });
    socket.socket.close();
  });

  it("has an id of at most 256 characters, because every frame contains it", async () => {
    const socket = await agentSocket(url, world.apiKey);
    subscribe(socket, "x".repeat(257));
    expect((await socket.next()).payload[0]).toMatchObject({ extensions: { code: "INVALID_REQUEST" } });
    subscribe(socket, "x".repeat(256));
    expect(await nextFrame(socket)).toMatchObject({ __typename: "StreamOpened" });
    socket.socket.close();
  });
});

describe("queries and mutations over a socket", () => {
  it("are executed as the socket's agent, with the same errors as over HTTP", async () => {
    const socket = await agentSocket(url, world.apiKey);
    const query =
      'mutation { createTask(input: { title: "By socket" }) { task { title createdBy { type } } } }';
    socket.send({ type: "subscribe", id: "m", payload: { query } });
    expect(await socket.next()).toMatchObject({
      type: "next",
      payload: { data: { createTask: { task: { title: "By socket", createdBy: { type: "AGENT" } } } } },
    });
    expect(await socket.next()).toEqual({ type: "complete", id: "m" });
    const refused: [string, string][] = [
      ["{ nothing }", "INVALID_REQUEST"],
      ["{", "INVALID_REQUEST"],
      ["query A { viewer { role } } query B { viewer { role } }", "INVALID_REQUEST"],
      [
        `{ tasks(first: 100) { ${Array.from({ length: 200 }, (_, n) => `f${n}: nodes { title }`).join(" ")} } }`,
        "INVALID_REQUEST",
      ],
      [`{ ${"a ".repeat(2001)} }`, "INVALID_REQUEST"],
    ];
    for (const [text, code] of refused) {
      socket.send({ type: "subscribe", id: "q", payload: { query: text } });
      const { type, payload } = await socket.next();
      expect({ type, code: payload[0].extensions.code }, text.slice(0, 60)).toEqual({ type: "error", code });
    }
    socket.socket.close();
  });

  it("never count as recently confirmed by the password", async () => {
    const person = await createPerson(world.server, world.workspaceId, { role: "owner" });
    const socket = await personSocket(url, buildCookie(await beginTestSession(world.server, person)));
    const query =
      'mutation { createApiKey(input: { name: "x", scopes: ["tasks:read"] }) { clientMutationId } }';
    socket.send({ type: "subscribe", id: "m", payload: { query } });
    expect(await socket.next()).toMatchObject({
      payload: { errors: [{ extensions: { code: "SUDO_REQUIRED" } }] },
    });
    socket.socket.close();
  });
});
