import { describe, expect, it } from "vitest";
import { BODY_EXAMPLES } from "../../../compat/rest/openapi/body-examples.ts";
import { describedRoutes, listObjects } from "../../support/described-inputs.ts";
import { addressOfPath, useDescribedWorld } from "../../support/described-world.ts";
import { expectProblem } from "../../support/problem.ts";
import { LIST_ROWS } from "../../support/service-document.ts";
import { withValue } from "../../support/with-value.ts";

const made = useDescribedWorld();

const LISTS = new Set(LIST_ROWS.map(({ path }) => path));
/** Objects with the caller's own members, and a standard's message with its own members. */
const FREE = new Set([
  "labels",
  "metadata",
  "params",
  "min_scores",
  "data",
  "VdaState",
  "loads",
  "params_schema",
  "properties",
  "arguments",
  "context",
]);

describe("an unknown field in a body", () => {
  it("is rejected in every object of every body", async () => {
    const tried: string[] = [];
    for (const { route, method, path, body } of describedRoutes(made.document)) {
      if (body === null) continue;
      for (const { at, isClosed, name } of listObjects(made.document, body)) {
        expect(isClosed, `${route} ${at.join(".")}`).toBe(!FREE.has(name));
        if (!isClosed) continue;
        const unknown = [...at, "x_unknown"];
        const sent = withValue(BODY_EXAMPLES[route], unknown, 1);
        const answer = await made.world.agent.send(addressOfPath(path), { method, body: sent });
        expectProblem(answer, 422, "unknown_field");
        expect(answer.body.field, route).toBe(unknown.join("."));
        tried.push(`${route} ${at.join(".")}`);
      }
    }
    expect(tried).toContain("POST /tasks input.0");
    expect(tried).toContain("POST /agents/self/heartbeat ");
    expect(tried.length).toBeGreaterThan(40);
  });

  it.each([
    [{ title: "x", prioritty: 1 }, "prioritty", "priority"],
    [{ title: "x", assigneeAgentId: null }, "assigneeAgentId", "assignee_agent_id"],
    [{ tilte: "x" }, "tilte", "title"],
    [{ title: "x", input: [{ txt: "a" }] }, "input.0.txt", "text"],
  ])("is reported with the most similar name: %j", async (body, field, meant) => {
    const answer = await made.world.agent.post("/api/v1/tasks", body);
    expectProblem(answer, 422, "unknown_field");
    expect([answer.body.field, answer.body.detail]).toEqual([field, expect.stringContaining(meant)]);
    expect(answer.body.errors[0]).toEqual({ field, detail: expect.stringContaining(meant) });
  });

  it("is reported without a name if none is similar", async () => {
    const { body } = await made.world.agent.post("/api/v1/tasks", { title: "x", zzz: 1 });
    expect(body).toMatchObject({ code: "unknown_field", field: "zzz" });
    expect(body.detail).not.toContain("did you mean");
  });

  it("costs no more than another body of the same length", async () => {
    const [many, long] = ["x".repeat(48), "y".repeat(900_000)];
    const wide = Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`${many}${at}`, 1]));
    const answer = await made.world.agent.post("/api/v1/tasks", { title: "x", ...wide });
    expectProblem(answer, 422, "unknown_field");
    expect(answer.body.errors).toHaveLength(100);
    const named = await made.world.agent.post("/api/v1/tasks", { title: "x", [long]: 1 });
    expectProblem(named, 422, "unknown_field");
    expect(named.text.length).toBeLessThan(2000);
  });

  it("is allowed in the caller's own objects", async () => {
    const own = { anything: { prioritty: 1 } };
    const task = {
      title: "x",
      labels: { any: "x" },
      metadata: own,
      input: [{ data: own, metadata: own }],
    };
    expect((await made.world.agent.post("/api/v1/tasks", task)).body.task).toMatchObject({ metadata: own });
  });

  it("is rejected in parts over GraphQL too", async () => {
    const query = `mutation { createTask(input: { title: "x", input: [{ txt: "a" }] }) { task { id } } }`;
    const { body } = await made.world.agent.post("/graphql", { query });
    expect(body.errors[0].extensions).toMatchObject({ code: "UNKNOWN_FIELD", field: "input.0.txt" });
  });

  it("is ignored in an OAuth client's form", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const sent = "token=none&token_type_hint=access_token&client_id=x";
    const answer = await made.world.agent.post("/api/v1/tokens/introspect", sent, form);
    expect([answer.status, answer.body]).toEqual([200, { active: false }]);
  });
});

describe("an unknown parameter", () => {
  it("is rejected by every route with the most similar name, except by the lists of the contract", async () => {
    for (const { route, method, path } of describedRoutes(made.document)) {
      const answer = await made.world.agent.send(`${addressOfPath(path)}?x_unknown=1`, { method });
      if (method === "GET" && LISTS.has(`/api/v1${path}`)) {
        expect(answer.status, route).toBe(200);
        continue;
      }
      expectProblem(answer, 400, "invalid_parameter");
      expect(answer.body.field, route).toBe("x_unknown");
    }
    const near = await made.world.agent.get("/api/v1/events?limmit=1");
    expect(near.body).toMatchObject({ field: "limmit", detail: expect.stringContaining("mean limit?") });
  });

  it.each(["statuss=failed", "workspace_id=x", "limit[]=1", "__proto__=1"])(
    "is ignored by the lists of the contract: %s",
    async (query) => {
      for (const { path, key } of LIST_ROWS) {
        const [plain, asked] = [
          await made.world.agent.get(path),
          await made.world.agent.get(`${path}?${query}`),
        ];
        expect([asked.status, asked.body[key]]).toEqual([200, plain.body[key]]);
      }
    },
  );
});
