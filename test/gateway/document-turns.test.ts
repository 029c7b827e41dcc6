import { createAdaptorServer } from "@hono/node-server";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Steps } from "../../src/domain/kernel/turns.ts";
import { createOperationLimits } from "../../src/gateway/operation-limits.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { createTestApp } from "../support/test-app.ts";
import { createTestClient } from "../support/test-client.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

it("reads the documents of a workspace in its turns", async () => {
  const limits = createOperationLimits(server.services.rateLimit);
  const turns: (string | null)[] = [];
  let current: string | null = null;

  function* note<Result>(workspaceId: string, steps: Steps<Result>): Steps<Result> {
    for (;;) {
      current = workspaceId;
      const step = steps.next();
      current = null;
      if (step.done === true) return step.value;
      yield;
    }
  }

  const app = createTestApp(server.services, {
    ...limits,
    takeTurn: (workspaceId, steps) => limits.takeTurn(workspaceId, note(workspaceId, steps)),
    reading: {
      ...limits.reading,
      spend: (workspaceId, read) => {
        turns.push(current);
        return limits.reading.spend(workspaceId, read);
      },
    },
  });
  const http = createAdaptorServer({ fetch: app.fetch });
  await once(http.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = http.address() as AddressInfo;
    const { apiKey, workspaceId } = await server.createWorkspace();
    const client = createTestClient(`http://127.0.0.1:${port}`, apiKey);
    const answers = await Promise.all([
      client.graphql("{ viewer { __typename } }"),
      client.graphql("{ nothing }"),
      client.graphql("{"),
    ]);
    expect(answers.map(({ body }) => body.errors?.length ?? 0)).toEqual([0, 1, 1]);
    // Two are parsed and validated, the third one can't be parsed.
    expect(turns).toEqual(Array.from({ length: 5 }, () => workspaceId));
  } finally {
    http.close();
  }
});
