import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestAnswer } from "../support/test-client.ts";
import { buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import { PATIENCE } from "../support/patience.ts";
import { startOn } from "../support/server.ts";
import { sendRaw } from "../support/raw-request.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({ RATE_LIMIT: "1000" });
});

afterAll(() => world.server.close());

/** Sends GET /graphql with these parameters. */
function ask(parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return world.agent.get(`/graphql?${new URLSearchParams(parameters)}`, headers);
}

/** Sends these bytes to POST /graphql. */
function post(body: Uint8Array | string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return sendRaw(world.server.url, {
    ...{ method: "POST", path: "/graphql", body },
    headers: {
      authorization: `Bearer ${world.apiKey}`,
      "content-type": "application/json",
      ...headers,
    },
  });
}

describe("GET /graphql", () => {
  it("executes a query with variables and an operation name", async () => {
    const query =
      "query A { viewer { scopes } } query B($first: Int!) { tasks(first: $first) { totalCount } }";
    const { status, body, headers } = await ask({ query, variables: '{"first":5}', operationName: "B" });
    expect(status).toBe(200);
    expect(body).toEqual({ data: { tasks: { totalCount: 0 } } });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("ratelimit")).not.toBeNull();
  });

  it("rejects mutations", async () => {
    const query = 'mutation { createTask(input: { title: "x" }) { clientMutationId } }';
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await world.agent.send(`/graphql?${new URLSearchParams({ query })}`, {
        method,
      });
      expect(status).toBe(405);
      expect(headers.get("allow")).toBe("POST");
    }
    const { body } = await ask({ query: "{ tasks { totalCount } }" });
    expect(body.data.tasks.totalCount).toBe(0);
  });

  it("has the same limits as POST", async () => {
    const pages = Array.from({ length: 60 }, (_, at) => `a${at}:tasks(first:100){nodes{uuid}}`).join(" ");
    for (const query of [`{${pages}}`, "subscription { events { __typename } }"]) {
      const { status, body } = await ask({ query });
      expect(status).toBe(400);
      expect(body.errors[0].extensions.code).toBe("INVALID_REQUEST");
    }
  });

  it.each(["{", "[]", "1", "null"])("rejects variables that are not an object: %s", async (variables) => {
    const { status, body } = await ask({ query: "{ __typename }", variables });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({
      message: "`variables` must be a JSON object.",
      extensions: { code: "INVALID_BODY" },
    });
  });

  it("rejects a request without a query", async () => {
    expect((await ask({})).status).toBe(400);
  });

  it("accepts bearers, but no session cookies", async () => {
    const person = await createPerson(world.server, world.workspaceId);
    const query = new URLSearchParams({ query: "{ __typename }" });
    const headers = { cookie: buildCookie(await beginTestSession(world.server, person)) };
    const { status } = await sendRaw(world.server.url, { path: `/graphql?${query}`, headers });
    expect(status).toBe(401);
  });
});

describe("POST /graphql, when nothing that the client accepts can be had", () => {
  it("names what can be accepted once, however many types that is", async () => {
    const { status, headers } = await post('{"query":"{ __typename }"}', { accept: "a/b,".repeat(3500) });
    expect(status).toBe(406);
    expect(headers.get("accept")?.length).toBeLessThan(300);
  });
});

describe("the body of POST /graphql", () => {
  it("can't be compressed", async () => {
    const body = gzipSync(JSON.stringify({ query: "{ __typename }" }));
    for (const encoding of ["gzip", "br", "x-unknown"]) {
      const answer = await post(body, { "content-encoding": encoding });
      expect(answer.status).toBe(415);
      expect(answer.body.errors[0].extensions.code).toBe("UNSUPPORTED_MEDIA_TYPE");
    }
    const plain = await post('{"query":"{ __typename }"}', { "content-encoding": "identity" });
    expect(plain.status).toBe(200);
  });

  it.each([
    [
      "is not UTF-8",
      Buffer.concat([
        Buffer.from('{"query":"{ __typename } # '),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]),
    ],
    ["is malformed", '{"query":"{ s3cr3t'],
    ["is empty", ""],
    ["is a list", '["s3cr3t"]'],
    ["is text", '"s3cr3t"'],
    ["is null", "null"],
  ])("is rejected and not echoed if it %s", async (_how, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.code).toBe("INVALID_BODY");
    expect(answer.text).not.toContain("s3cr3t");
  });
});

describe("a POST that is over a limit", () => {
  /** Announces a body that is too large, and never sends it. */
  async function announce(url: string, apiKey: string): Promise<number> {
    const { status } = await sendRaw(url, {
      ...{ method: "POST", path: "/graphql" },
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "content-length": "600000",
      },
    });
    return status;
  }

  it("is rejected before its body is read, if it is over the rate limit", async () => {
    const node = await startOn(world.server.database, { RATE_LIMIT: "1" });
    const announceTwo = async () => [
      await announce(node.url, world.apiKey),
      await announce(node.url, world.apiKey),
    ];
    // Repeated if a second ended in between.
    await expect.poll(announceTwo, PATIENCE).toEqual([413, 429]);
    await node.stop();
  });

  it("is rejected before its body is read, if its workspace has used up the time for documents", async () => {
    const { apiKey } = await world.server.createWorkspace();
    const cpuUsage = vi.spyOn(process, "cpuUsage").mockImplementation((before) => ({
      user: before === undefined ? 0 : 30_000_000,
      system: 0,
    }));
    const query = '{"query":"{ viewer { __typename scopes } }"}';
    expect((await post(query, { authorization: `Bearer ${apiKey}` })).status).toBe(200);
    cpuUsage.mockRestore();
    expect(await announce(world.server.url, apiKey)).toBe(429);
    expect(await announce(world.server.url, world.apiKey)).toBe(413);
  });
});
