import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { CLOSINGS } from "../../src/live/closings.ts";
import { socketToken } from "../support/socket-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const QUERY = `subscription ($after: Cursor) {
  events(after: $after, types: ["task.*"]) {
    ... on StreamOpened { cursor }
    ... on Event { cursor type subjectUuid }
    ... on StreamCheckpoint { cursor }
    ... on StreamReset { cursor reason }
  }
}`;

/** Disconnections after which a client reconnects. */
const CUTS = [CLOSINGS.restarting, CLOSINGS.unavailable, CLOSINGS.expired, CLOSINGS.slow("")];

describe("the client of graphql-ws", () => {
  it("resumes from its last cursor", async () => {
    const { url, services } = world.server;
    const client = createClient({
      url: `${url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: Infinity,
      retryWait: () => pause(10),
      shouldRetry: () => true,
      connectionParams: async () => ({ token: await socketToken(url, world.apiKey) }),
    });
    const variables: { after: string | null } = { after: null };
    const made: string[] = [];
    const seen: string[] = [];
    const frames = client.iterate<{ events: { cursor: string; subjectUuid?: string } }>({
      query: QUERY,
      variables,
    });
    for await (const { data } of frames) {
      if (data === undefined || data === null) throw new Error("a frame without data");
      variables.after = data.events.cursor;
      if (data.events.subjectUuid !== undefined) seen.push(data.events.subjectUuid);
      if (seen.length === 5) break;
      if (made.length === seen.length) {
        made.push((await createTask(world.ctx, { title: "One more" })).id);
        const cut = CUTS[made.length];
        if (cut !== undefined) services.live.connections.killAll(cut);
      }
    }
    expect(seen).toEqual(made);
    await client.dispose();
  });
});
