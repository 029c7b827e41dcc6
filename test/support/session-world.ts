import { type TestPerson, type askWhoAmI, createPerson } from "./people.ts";
import { type TestServer, startOn } from "./server.ts";
import { type TestWorld, createWorld } from "./test-world.ts";

/** Milliseconds. */
export const HOUR = 3_600_000;
/** Milliseconds. */
export const DAY = 24 * HOUR;

/** A world of people whose sessions are looked at later. */
export type SessionWorld = TestWorld & {
  /** Makes an admin. */
  person: () => Promise<TestPerson>;
  /** Starts a node whose clock stands so many milliseconds after the last person was made. */
  nodeIn: (ms: number, environment?: Record<string, string>) => Promise<TestServer>;
  close: () => Promise<void>;
};

/** Starts a server with a workspace, beside which nodes at other times can be started. */
export async function createSessionWorld(): Promise<SessionWorld> {
  const world = await createWorld();
  const nodes: TestServer[] = [];
  let started = Date.now();
  return {
    ...world,
    person: () => {
      started = Date.now();
      return createPerson(world.server, world.workspaceId);
    },
    nodeIn: async (ms, environment = {}) => {
      const node = await startOn(world.server.database, environment, new Date(started + ms));
      nodes.push(node);
      return node;
    },
    close: async () => {
      for (const node of nodes) await node.stop();
      await world.server.close();
    },
  };
}

/** Who somebody is who asked; undefined where nobody was let in. */
export function getUserId(answer: Awaited<ReturnType<typeof askWhoAmI>>): string | undefined {
  return answer.status === 200 ? answer.body.data.viewer.actor.uuid : undefined;
}
