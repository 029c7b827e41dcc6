import { describe, expect, it } from "vitest";
import { expectMessage } from "./error-message.ts";
import type { TestAnswer } from "./test-client.ts";
import { createTestClient } from "./test-client.ts";
import type { TestWorld } from "./test-world.ts";

/** Expects a problem with this status and code. */
export function expectProblem(answer: TestAnswer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code, text: answer.text }).toMatchObject({
    status,
    code,
  });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.body).toMatchObject({
    status,
    title: expect.any(String),
    request_id: answer.headers.get("x-request-id"),
  });
  expectMessage(answer.body.detail);
  expect(answer.body.type).toMatch(new RegExp(`^https?://[^/]+/problems/${code.replaceAll("_", "-")}$`));
}

/** Expects errors for exactly these fields of a body or query. */
export function expectFields(answer: TestAnswer, ...fields: string[]): void {
  const isQuery = answer.status === 400;
  expectProblem(answer, isQuery ? 400 : 422, isQuery ? "invalid_parameter" : "validation_failed");
  const named = new Set(answer.body.errors.map(({ field }: { field: string }) => field));
  expect(named).toEqual(new Set(fields));
}

/** A problem without what differs between two requests. */
export function withoutRequest({ status, body }: TestAnswer): unknown {
  const { request_id: _id, ...problem } = body;
  return { status, problem };
}

const REALM = 'Bearer realm="agent-ops"';

/** Tests that a route requires a credential, and the scope if given. */
export function describeGuard(
  { method = "GET", path, scope }: { method?: string; path: string; scope?: string },
  world: () => TestWorld,
): void {
  describe(`${method} ${path}`, () => {
    it("rejects a request without a credential", async () => {
      const answer = await createTestClient(world().server.url).send(path, { method });
      expectProblem(answer, 401, "unauthenticated");
      expect(answer.headers.get("www-authenticate")).toBe(REALM);
    });

    it("rejects an unknown credential", async () => {
      const answer = await createTestClient(world().server.url, "agk_unknown").send(path, { method });
      expectProblem(answer, 401, "invalid_token");
      expect(answer.headers.get("www-authenticate")).toBe(`${REALM}, error="invalid_token"`);
    });

    if (scope === undefined) return;
    it(`rejects a credential without ${scope}`, async () => {
      const { database } = world().server;
      const every = await database.query<{ scopes: string[] }>(
        'SELECT scopes FROM api_key WHERE workspace_id = $1 AND "primary"',
        [world().workspaceId],
      );
      const others = (every[0]?.scopes ?? []).filter((held) => held !== scope);
      expect(others).toHaveLength((every[0]?.scopes.length ?? 0) - 1);
      const answer = await (await world().agentWith(...others)).send(path, { method });
      expectProblem(answer, 403, "insufficient_scope");
      expect(answer.headers.get("www-authenticate")).toBe(
        `${REALM}, error="insufficient_scope", scope="${scope}"`,
      );
    });
  });
}
