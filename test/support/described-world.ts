import { afterAll, beforeAll } from "vitest";
import type { Described } from "./described.ts";
import { newTraceId } from "./otlp.ts";
import { type TestWorld, createWorld } from "./test-world.ts";

/** A world without a rate limit, and its API description. */
export type DescribedWorld = { world: TestWorld; document: Described };

/** Creates one for the tests of a file. */
export function useDescribedWorld(): DescribedWorld {
  // The hook fills it in before it is read.
  const made = {} as DescribedWorld;
  beforeAll(async () => {
    made.world = await createWorld();
    made.document = (await made.world.agent.get("/api/v1/openapi.json")).body;
  });
  afterAll(() => made.world.server.close());
  return made;
}

/** The URL of a path of the description, with unknown ids. */
export function addressOfPath(path: string): string {
  const known = path.replace("{type}", "user").replace("{trace_id}", newTraceId());
  return `/api/v1${known.replace("{id}", crypto.randomUUID())}`;
}
