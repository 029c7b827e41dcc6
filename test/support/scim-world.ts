import { expect } from "vitest";
import type { NewWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { type TestAnswer, createTestClient } from "./test-client.ts";
import { type TestServer, startTestServer } from "./server.ts";

/** An identity provider that sends requests to /scim/v2 with a workspace's SCIM token. */
export type Idp = {
  get: (path: string, headers?: Record<string, string>) => Promise<TestAnswer>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<TestAnswer>;
  put: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<TestAnswer>;
  patch: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<TestAnswer>;
  delete: (path: string, headers?: Record<string, string>) => Promise<TestAnswer>;
};

/** A server with one workspace and its identity provider. */
export type ScimWorld = NewWorkspace & {
  server: TestServer;
  idp: Idp;
  /** The system's context in the workspace. */
  ctx: Ctx;
  /** Creates another workspace on the same server. */
  another: () => Promise<NewWorkspace & { idp: Idp; ctx: Ctx }>;
  /** The types of the events about a resource, or the actions of its audit rows, in order. */
  readNames: (table: "event" | "audit_event", id: string) => Promise<string[]>;
  close: () => Promise<void>;
};

/** Starts a server with a workspace for an identity provider. */
export async function createScimWorld(environment: Record<string, string> = {}): Promise<ScimWorld> {
  const server = await startTestServer(environment);
  const another = async () => {
    const workspace = await server.createWorkspace();
    const idp = createIdp(server.url, workspace.scimToken);
    return { ...workspace, idp, ctx: server.systemCtx(workspace.workspaceId) };
  };
  const readNames: ScimWorld["readNames"] = async (table, id) => {
    const [name, subject] = table === "event" ? ["type", "subject_id"] : ["action", "target_id"];
    const rows = await server.database.query<{ name: string }>(
      `SELECT ${name} AS name FROM ${table} WHERE ${subject}::text = $1 ORDER BY seq`,
      [id],
    );
    return rows.map(({ name: each }) => each);
  };
  return { ...(await another()), server, another, readNames, close: () => server.close() };
}

/** Creates an identity provider with this token. */
export function createIdp(url: string, token: string, type = "application/scim+json"): Idp {
  const client = createTestClient(url, token);
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      client.send(`/scim/v2${path}`, {
        method,
        ...(body !== undefined && { body }),
        headers: { ...(body !== undefined && { "content-type": type }), ...headers },
      });
  return {
    get: (path, headers) => send("GET")(path, undefined, headers),
    post: send("POST"),
    put: send("PUT"),
    patch: send("PATCH"),
    delete: (path, headers) => send("DELETE")(path, undefined, headers),
  };
}

/** The URNs of messages. */
export const URN = {
  user: "urn:ietf:params:scim:schemas:core:2.0:User",
  group: "urn:ietf:params:scim:schemas:core:2.0:Group",
  agent: "urn:ietf:params:scim:schemas:core:2.0:Agent",
  enterprise: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  patch: "urn:ietf:params:scim:api:messages:2.0:PatchOp",
  search: "urn:ietf:params:scim:api:messages:2.0:SearchRequest",
  list: "urn:ietf:params:scim:api:messages:2.0:ListResponse",
  error: "urn:ietf:params:scim:api:messages:2.0:Error",
  bulk: "urn:ietf:params:scim:api:messages:2.0:BulkRequest",
} as const;

let made = 0;

/** A unique word. */
export function word(): string {
  made += 1;
  return `${process.pid.toString(36)}x${made.toString(36)}`;
}

/** An agent as sent by an identity provider. */
export function agentBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { schemas: [URN.agent], agentUserName: word(), ...fields };
}

/** A user as sent by an identity provider. */
export function userBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { schemas: [URN.user], userName: `${word()}@example.com`, ...fields };
}

/** A group as sent by an identity provider. */
export function groupBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { schemas: [URN.group], displayName: `Group ${word()}`, ...fields };
}

/** The message of a PATCH. */
export function patchBody(...operations: unknown[]): Record<string, unknown> {
  return { schemas: [URN.patch], Operations: operations };
}

/** Expects a SCIM error with this status and type. @see RFC 7644, 3.12. */
export function expectScimError(
  { status, body, headers }: TestAnswer,
  wanted: number,
  scimType?: string,
): void {
  expect({ status, type: headers.get("content-type") }).toEqual({
    status: wanted,
    type: "application/scim+json",
  });
  expect(body.schemas).toEqual([URN.error]);
  expect(body.status).toBe(String(wanted));
  expect(body.detail).toEqual(expect.any(String));
  expect(body.scimType).toBe(scimType);
}
