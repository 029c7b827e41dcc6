import { expect, vi } from "vitest";
import { hashSecret } from "../../src/auth/credentials.ts";
import { type TestAnswer, createTestClient } from "./test-client.ts";
import { type TestCredentials, bearerState } from "./test-credentials.ts";
import { parseSetCookies, beginTestSession } from "./people.ts";
import type { TestServer } from "./server.ts";
import { askBy, callMutation, graphqlCode } from "./settings-client.ts";

/** Lets a session become older than seven days, and uses it. @returns its successor. */
export async function reissue(server: TestServer, session: string): Promise<string> {
  await server.database.query(
    `UPDATE users_tokens SET created_at = created_at - interval '8 days', expires_at = expires_at - interval '8 days'
     WHERE token_digest = $1`,
    [Buffer.from(hashSecret(session))],
  );
  const answer = await askBy(server, session)("{ viewer { role } }");
  const next = parseSetCookies(answer)["_agent_ops_key"]?.value;
  if (next === undefined) throw new Error("the session was not reissued");
  return next;
}

/** Changes the user like an identity provider. */
export async function changeByScim(
  credentials: TestCredentials,
  method: string,
  body?: unknown,
): Promise<void> {
  const { server, scimToken, person } = credentials;
  const headers = { "content-type": "application/scim+json" };
  const client = createTestClient(server.url, scimToken);
  const { status } = await client.send(`/scim/v2/Users/${person.id}`, { method, body, headers });
  expect(status).toBeLessThan(300);
}

/** Suspends the user like an identity provider. */
export async function suspendByScim(credentials: TestCredentials): Promise<void> {
  await replaceByScim(credentials, "active", false);
}

/** Changes the user's address like an identity provider. */
export async function moveByScim(credentials: TestCredentials, email: string): Promise<void> {
  await replaceByScim(credentials, "emails", [{ value: email, primary: true }]);
}

async function replaceByScim(credentials: TestCredentials, path: string, value: unknown): Promise<void> {
  await changeByScim(credentials, "PATCH", {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
    Operations: [{ op: "replace", path, value }],
  });
}

/** Runs a settings mutation in a session. */
export async function change(
  { server }: TestCredentials,
  session: string,
  [name, input]: [string, Record<string, unknown>],
): Promise<TestAnswer> {
  const answer = await callMutation(askBy(server, session), name, input);
  expect(graphqlCode(answer)).toBe("");
  return answer;
}

/** The same in a session of the workspace's owner. */
export async function changeAsOwner(
  credentials: TestCredentials,
  name: string,
  input: object,
): Promise<void> {
  await change(credentials, await beginTestSession(credentials.server, credentials.owner), [
    name,
    { ...input },
  ]);
}

/** Lets a bearer expire. */
export async function expire(
  { server }: TestCredentials,
  table: "api_key" | "agent_token" | "scim_token",
  id: string,
): Promise<void> {
  await server.database.query(`UPDATE ${table} SET expires_at = now() WHERE id = $1`, [id]);
}

/** Waits until a node knows that a bearer has expired, as it may have cached a later expiry. */
export async function waitUntilExpired(server: TestServer, bearer: string): Promise<void> {
  await vi.waitFor(async () => expect(await bearerState(server, bearer)).toBe("invalid"), {
    ...{ timeout: 10_000, interval: 100 },
  });
}

/** The revocations of a workspace with their reasons, in order. */
export async function revocationsIn({ database }: TestServer, workspaceId: string): Promise<string[]> {
  const rows = await database.query<{ revoked: string }>(
    "SELECT kind || ' ' || reason AS revoked FROM revocation WHERE workspace_id = $1 ORDER BY seq",
    [workspaceId],
  );
  return rows.map(({ revoked }) => revoked);
}

/**
 * How many revocations the node has read from the log. It reads also its own, which closes sockets that were
 * opened in between.
 */
export async function countFollowedRevocations({ services }: TestServer): Promise<number> {
  return (await services.live.metrics.revocations.get()).values[0]?.value ?? 0;
}
