import { type TestPerson, type askWhoAmI, createPerson } from "./people.ts";
import { type TestServer, startOn } from "./server.ts";
import { type TestWorld, createWorld } from "./test-world.ts";

/** Milliseconds. */
export const HOUR = 3_600_000;
/** Milliseconds. */
export const DAY = 24 * HOUR;

/** A world for users and their sessions at later times. */
export type SessionWorld = TestWorld & {
  /** Creates an admin. */
  person: () => Promise<TestPerson>;
  /** Starts a node whose clock is this many milliseconds after the creation of the last user. */
  nodeIn: (ms: number, environment?: Record<string, string>) => Promise<TestServer>;
  close: () => Promise<void>;
};

/** Starts a server with a workspace, and nodes at other times. */
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

/** The user of a request, or undefined if rejected. */
export function getUserId(answer: Awaited<ReturnType<typeof askWhoAmI>>): string | undefined {
  return answer.status === 200 ? answer.body.data.viewer.actor.uuid : undefined;
}
