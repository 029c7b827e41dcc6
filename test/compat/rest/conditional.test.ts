import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import {
  insertTestAgent,
  createAgentCommand,
  insertTestEvalRun,
  insertTestMission,
} from "../../support/factories.ts";
import { listWrites } from "../../support/list-writes.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { runs } from "../../support/property-runs.ts";

let server: TestServer;
let agent: TestClient;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  const workspace = await server.createWorkspace();
  workspaceId = workspace.workspaceId;
  agent = createTestClient(server.url, workspace.apiKey);
});

afterAll(() => server.close());

/** Creates a workspace. */
async function enter() {
  const workspace = await server.createWorkspace();
  return {
    agent: createTestClient(server.url, workspace.apiKey),
    ctx: server.systemCtx(workspace.workspaceId),
  };
}

const LISTS = [
  "/api/v1/messages",
  "/api/v1/tasks?limit=2",
  "/api/v1/operator/eval_runs",
  "/api/v1/operator/agent_commands",
  "/api/v1/operator/missions",
  "/api/v1/operator/robots",
];

describe("If-None-Match on a list", () => {
  it.each(LISTS)("returns 304 without a body while %s is unchanged", async (path) => {
    const first = await agent.get(path);
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    for (const asked of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await agent.get(path, { "if-none-match": asked });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
  });

  it.each(["tasks?status=canceled", "messages?kind=question", "operator/agent_commands?status=queued"])(
    "returns 304 while a part of a list is unchanged: %s",
    async (part) => {
      const { agent: fresh, ctx } = await enter();
      const agentId = await insertTestAgent(ctx, "software");
      // The latest change is outside of that part.
      for (const one of [{}, { status: "canceled" }] as const) await createAgentCommand(ctx, agentId, one);
      const { body } = await fresh.post("/api/v1/tasks", { title: "One" });
      await fresh.post(`/api/v1/tasks/${body.task.id}/cancel`);
      await fresh.post("/api/v1/tasks", { title: "Two" });
      for (const kind of ["question", "notice"]) {
        await fresh.post("/api/v1/messages", { parts: [{ text: "?" }], kind });
      }
      const first = await fresh.get(`/api/v1/${part}`);
      expect(Object.values(first.body)[0]).toHaveLength(1);
      const etag = first.headers.get("etag") ?? "";
      expect((await fresh.get(`/api/v1/${part}`, { "if-none-match": etag })).status).toBe(304);
    },
  );

  it("distinguishes pages and scopes", async () => {
    const etags = new Set<string | null>();
    for (const path of ["/api/v1/tasks", "/api/v1/tasks?limit=1", "/api/v1/tasks?offset=1"]) {
      etags.add((await agent.get(path)).headers.get("etag"));
    }
    const minted = await agent.post("/api/v1/agent_tokens", { scopes: ["tasks:read"] });
    const narrow = createTestClient(server.url, minted.body.token);
    etags.add((await narrow.get("/api/v1/tasks")).headers.get("etag"));
    expect(etags.size).toBe(4);
  });

  it("is compared after all other checks", async () => {
    const { headers } = await agent.get("/api/v1/tasks");
    const etag = headers.get("etag") ?? "";
    const anonymous = await createTestClient(server.url).get("/api/v1/tasks", { "if-none-match": etag });
    expect(anonymous.status).toBe(401);
    const wrong = await agent.get("/api/v1/tasks?limit=101", { "if-none-match": "*" });
    expect(wrong.status).toBe(400);
  });

  it("returns 304 for every unchanged list, and never for a changed one", async () => {
    const ctx = server.systemCtx(workspaceId);
    const agentId = await insertTestAgent(ctx, "robot");
    const writes: Record<string, () => Promise<unknown>> = {
      ...listWrites(agent),
      evalRun: () => insertTestEvalRun(ctx, { status: "completed", verdict: "passed" }),
      command: () => createAgentCommand(ctx, agentId),
      mission: () => insertTestMission(ctx),
      robot: () => insertTestAgent(ctx, "robot"),
      nothing: () => Promise.resolve(),
    };
    const paths = [...LISTS, "/api/v1/tasks?status=working", "/api/v1/messages?kind=question"];
    const write = fc.constantFrom(...Object.keys(writes));
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 4 }), async (names) => {
        const before = await Promise.all(paths.map((path) => agent.get(path)));
        for (const name of names) await writes[name]?.();
        for (const [index, path] of paths.entries()) {
          const etag = before[index]?.headers.get("etag") ?? "";
          // In this order, because the service may change something between the two.
          const now = await agent.get(path);
          const asked = await agent.get(path, { "if-none-match": etag });
          if (now.text !== before[index]?.text) expect(asked.status, path).toBe(200);
          else if (!names.some((name) => concerns(name, path))) expect(asked.status, path).toBe(304);
          expect([asked.status, asked.headers.get("etag")], path).not.toEqual([200, etag]);
        }
      }),
      { numRuns: runs(60), examples: EXAMPLES.map((names) => [names]) },
    );
  });
});

/** Writes that depend on others before them, an order which random choice would rarely produce. */
const EXAMPLES = [
  ["nothing"],
  ["createTask", "claimTask"],
  ["beat"],
  ["progressTask"],
  ["ask", "answer"],
  ["completeTask"],
  ["createRun"],
  ["addResult"],
  ["completeRun"],
  ["issueCommand"],
  ["fetchCommands"],
  ["acknowledge"],
  ["progressCommand"],
  ["endCommand"],
];

/** The writes that affect a list. */
const WRITERS = {
  messages: ["say", "ask", "answer"],
  tasks: [
    ...["createTask", "claimTask", "progressTask", "releaseTask", "completeTask", "cancelTask"],
    ...["ask", "answer"],
  ],
  eval_runs: ["createRun", "addResult", "completeRun", "evalRun"],
  agent_commands: [
    ...["command", "issueCommand", "fetchCommands", "acknowledge", "progressCommand", "endCommand"],
  ],
  missions: ["mission"],
  robots: ["robot"],
};

function concerns(write: string, path: string): boolean {
  return Object.entries(WRITERS).some(([list, writes]) => path.includes(list) && writes.includes(write));
}

describe("If-None-Match on an item", () => {
  it("returns 304 while the task is unchanged", async () => {
    const made = await agent.post("/api/v1/tasks", { title: "One" });
    const path = `/api/v1/tasks/${made.body.task.id}`;
    const etag = (await agent.get(path)).headers.get("etag") ?? "";
    expect((await agent.get(path, { "if-none-match": etag })).status).toBe(304);
    expect((await agent.get(path, { "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("the Link header", () => {
  it("leads through the whole list", async () => {
    const { apiKey } = await server.createWorkspace();
    const fresh = createTestClient(server.url, apiKey);
    for (const title of ["one", "two", "three", "four", "five"]) await fresh.post("/api/v1/tasks", { title });
    const seen: string[] = [];
    let path: string | undefined = "/api/v1/tasks?limit=2";
    while (path !== undefined) {
      const page = await fresh.get(path);
      seen.push(...page.body.tasks.map((task: { title: string }) => task.title));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(["five", "four", "three", "two", "one"]);
    const last = await fresh.get("/api/v1/tasks?limit=2&offset=4");
    expect(last.headers.get("link")).toBe(
      '</api/v1/tasks?limit=2&offset=0>; rel="first", </api/v1/tasks?limit=2&offset=2>; rel="prev"',
    );
  });
});

describe("the rate limit", () => {
  it("returns 429 with Retry-After beyond the credential's requests per second, and reports what is left", async () => {
    const limited = await startTestServer({ RATE_LIMIT: "5" });
    try {
      const { apiKey } = await limited.createWorkspace();
      const other = await limited.createWorkspace();
      const client = createTestClient(limited.url, apiKey);
      const answers = await Promise.all(Array.from({ length: 30 }, () => client.get("/api/v1/whoami")));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThanOrEqual(20);
      expect(refused[0]?.body.code).toBe("rate_limited");
      expect(refused[0]?.headers.get("retry-after")).toBe("1");
      expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"default";q=5;w=1');
      expect(answers[0]?.headers.get("ratelimit")).toMatch(/^"default";r=[0-4];t=1$/);
      // GraphQL has the same limit.
      const both = await Promise.all(
        Array.from({ length: 12 }, () => client.graphql("{ viewer { scopes } }")),
      );
      const past = both.find(({ status }) => status === 429);
      expect(past?.body.errors[0].extensions.code).toBe("RATE_LIMITED");
      expect(past?.headers.get("retry-after")).toBe("1");
      expect((await createTestClient(limited.url, other.apiKey).get("/api/v1/whoami")).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
