import { afterAll, beforeAll } from "vitest";
import type { Described } from "./described.ts";
import { type TestWorld, createWorld } from "./test-world.ts";

/** A world without a rate limit, and how it describes its API. */
export type DescribedWorld = { world: TestWorld; document: Described };

/** Makes one for the tests of a file. */
export function useDescribedWorld(): DescribedWorld {
  // The hook fills it in before anything reads it.
  const made = {} as DescribedWorld;
  beforeAll(async () => {
    made.world = await createWorld({ RATE_LIMIT: "0" });
    made.document = (await made.world.agent.get("/api/v1/openapi.json")).body;
  });
  afterAll(() => made.world.server.close());
  return made;
}

/** The address of a path of the description; of a row that is not there, where it names one. */
export function addressOfPath(path: string): string {
  return `/api/v1${path.replace("{id}", crypto.randomUUID())}`;
}
