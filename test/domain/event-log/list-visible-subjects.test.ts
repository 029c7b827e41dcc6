import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listEvents } from "../../../src/domain/event-log/list-events.ts";
import { listVisibleSubjects } from "../../../src/domain/event-log/list-visible-subjects.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { createKeyWith, userCtx } from "../../support/callers.ts";
import { createTestClient } from "../../support/test-client.ts";
import { EVENTS, agentSocket } from "../../support/socket-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Writes events about a message, a task and an API key, which creates an agent. */
async function happen(): Promise<void> {
  await world.agent.post("/api/v1/messages", { parts: [{ text: "x" }] });
  await world.agent.post("/api/v1/tasks", { title: "x" });
  await createKeyWith(world.server, world.workspaceId, ["tasks:read"]);
}

/** The types of subjects that events are written about, as the source has them. */
function readSubjectTypes(): string[] {
  const folder = path.resolve(import.meta.dirname, "../../../src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(path.join(folder, file), "utf8").matchAll(/subjectType: "(\w+)"/g)].map(
      ([, type]) => type,
    ),
  );
  return [...new Set(found)].filter((type) => type !== undefined).toSorted();
}

const ALL = ["message.created", "task.created", "agent.created", "api_key.created"];

describe("events", () => {
  it.each([
    [["events:read"], []],
    [["events:read", "tasks:read"], ["task.created"]],
    [["events:read", "messages:read", "tasks:write"], ["message.created"]],
  ])("with %j are those the scopes allow, over HTTP", async (scopes, seen) => {
    const reader = await world.agentWith(...scopes);
    const { body } = await reader.get("/api/v1/events");
    await happen();
    const after = await reader.get(`/api/v1/events?types=*&after=${body.next_after}`);
    expect(after.body.events.map(({ type }: { type: string }) => type)).toEqual(seen);
    expect((await reader.get(`/api/v1/events?after=${after.body.next_after}`)).body.events).toEqual([]);
  });

  it("are the same over a socket, past and live", async () => {
    const key = await createKeyWith(world.server, world.workspaceId, ["events:read", "tasks:read"]);
    const { body } = await createTestClient(world.server.url, key).get("/api/v1/events");
    await happen();
    const socket = await agentSocket(world.server.url, key);
    const variables = { after: body.next_after };
    socket.send({ type: "subscribe", id: "x", payload: { query: EVENTS, variables } });
    const seen = () => socket.messages.flatMap(({ payload }) => payload?.data?.events.type ?? []);
    await expect.poll(seen).toEqual(["task.created"]);
    await happen();
    await expect.poll(seen).toEqual(["task.created", "task.created"]);
    socket.socket.close();
  });

  it.each<[Role, string[]]>([
    ["viewer", ALL.slice(0, 3)],
    ["operator", ALL.slice(0, 3)],
    ["admin", ALL],
  ])("of credentials are visible to a user with role %s as allowed", async (role, seen) => {
    const reader = userCtx(world.server, world.workspaceId, role);
    const { cursor } = await listEvents(reader, {});
    await happen();
    const { events } = await listEvents(reader, { after: cursor });
    expect(events.map(({ type }) => type)).toEqual(seen);
  });

  it("are visible to viewers whatever they are about, but credentials and what gives them", () => {
    const { actor } = userCtx(world.server, world.workspaceId, "viewer");
    const visible = listVisibleSubjects(actor) ?? [];
    const hidden = readSubjectTypes().filter((type) => !visible.includes(type));
    expect(hidden).toEqual([
      ...[
        "agent_token",
        "api_key",
        "inbox_item",
        "notification_settings",
        "scim_token",
        "second_factor",
        "session",
        "sign_in_domain",
        "sign_in_provider",
      ],
      ...["socket_token", "webhook_endpoint", "workload_trust"],
    ]);
  });

  it("of users are not visible to agents", () => {
    const actor = userCtx(world.server, world.workspaceId, "viewer").actor;
    expect(listVisibleSubjects(actor)).toContain("user");
    expect(listVisibleSubjects({ type: "scim", id: "x", name: "x" })).toEqual([]);
  });
});
