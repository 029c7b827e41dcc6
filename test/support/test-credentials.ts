import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { isEmailChangeLinkValid } from "../../src/auth/email-change/is-email-change-link-valid.ts";
import { readInvitation } from "../../src/auth/invitations/read-invitation.ts";
import type { LinkContext } from "../../src/auth/emails/link.ts";
import { mintLink } from "../../src/auth/emails/mint-link.ts";
import { isResetLinkValid } from "../../src/auth/reset/is-reset-link-valid.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createTestClient } from "./test-client.ts";
import { type TestPerson, buildCookie, createPerson, beginTestSession } from "./people.ts";
import { personCtx } from "./person-ctx.ts";
import type { TestServer } from "./server.ts";
import { acknowledged, connectSocket } from "./socket-client.ts";

/** Every kind of credential of a user or workspace. */
export const CREDENTIALS = [
  ...(["ownSession", "otherSession", "resetLink", "emailLink", "invitation"] as const),
  ...(["apiKey", "accessToken", "socketToken", "scimToken"] as const),
] as const;

export type CredentialName = (typeof CREDENTIALS)[number];

/** `forbidden`: the credential is known, but is not allowed anything. */
export type CredentialState = "valid" | "invalid" | "forbidden";

/** One credential of each kind, all of one admin and their workspace. */
export type TestCredentials = Record<CredentialName, string> & {
  server: TestServer;
  ctx: Ctx;
  person: TestPerson;
  /** An owner of the workspace. */
  owner: TestPerson;
  keyId: string;
  tokenId: string;
  scimTokenId: string;
};

/** Creates a workspace, an admin, and one credential of each kind. */
export async function createCredentials(server: TestServer): Promise<TestCredentials> {
  const { workspaceId, scimToken } = await server.createWorkspace();
  const ctx = server.systemCtx(workspaceId);
  const person = await createPerson(server, workspaceId, { role: "admin" });
  const owner = await createPerson(server, workspaceId, { role: "owner" });
  const by = personCtx(server, person, { role: "admin" });
  const scopes = ["tasks:read", "tasks:write"];
  const { apiKey, secret } = await createApiKey(by, { name: "A key", scopes });
  const minted = await createTestClient(server.url, secret).post("/api/v1/agent_tokens");
  const socket = await createTestClient(server.url, minted.body.token).post("/api/v1/socket_tokens");
  const { id: scimTokenId } = await ctx.db.scimToken.findFirstOrThrow({ where: {} });
  const to = { ctx, userId: person.id };
  return {
    ...{ server, ctx, person, owner, keyId: apiKey.id, tokenId: minted.body.id, scimTokenId },
    ownSession: await beginTestSession(server, person),
    otherSession: await beginTestSession(server, person),
    resetLink: await mintToken({ ...to, context: "reset_password", sentTo: null }),
    emailLink: await mintToken({ ...to, context: "email_change", sentTo: `new.${person.email}` }),
    invitation: await mintToken({ ...to, context: "invitation", sentTo: null }),
    ...{ apiKey: secret, accessToken: minted.body.token, socketToken: socket.body.token, scimToken },
  };
}

type LinkOrder = { ctx: Ctx; userId: string; context: LinkContext; sentTo: string | null };

async function mintToken({ ctx, ...order }: LinkOrder): Promise<string> {
  const link = await mintLink(ctx, { ...order, isDue: async () => true });
  const [token] = link?.path.split("/").slice(-1) ?? [];
  if (token === undefined) throw new Error("no link was minted");
  return token;
}

/** Uses each credential for its purpose. */
export async function readStates(
  credentials: TestCredentials,
): Promise<Record<CredentialName, CredentialState>> {
  const { server } = credentials;
  const { services } = server;
  return {
    ownSession: await sessionState(server, credentials.ownSession),
    otherSession: await sessionState(server, credentials.otherSession),
    resetLink: toValidity(await isResetLinkValid(services, credentials.resetLink)),
    emailLink: toValidity(await isEmailChangeLinkValid(services, credentials.emailLink)),
    invitation: toValidity((await readInvitation(services, credentials.invitation)) !== null),
    apiKey: await bearerState(server, credentials.apiKey),
    accessToken: await bearerState(server, credentials.accessToken),
    socketToken: await socketState(server, credentials.socketToken),
    scimToken: await bearerState(server, credentials.scimToken, "/scim/v2/Users"),
  };
}

/** Whether a session's cookie is accepted. */
export async function sessionState(server: TestServer, session: string): Promise<CredentialState> {
  const client = createTestClient(server.url, undefined, { cookie: buildCookie(session) });
  return toState((await client.graphql("{ viewer { role } }")).status);
}

/** Whether a bearer is accepted. */
export async function bearerState(
  server: TestServer,
  bearer: string,
  path = "/api/v1/whoami",
): Promise<CredentialState> {
  return toState((await createTestClient(server.url, bearer).get(path)).status);
}

/** Whether a socket token opens a socket. */
async function socketState({ url }: TestServer, token: string): Promise<CredentialState> {
  const socket = await connectSocket(url, { init: { token } });
  const isIn = await acknowledged(socket).then(
    () => true,
    () => false,
  );
  if (!isIn) return (await socket.closed).code === 4403 ? "forbidden" : "invalid";
  socket.socket.close();
  return "valid";
}

function toState(status: number): CredentialState {
  if (status === 403) return "forbidden";
  return status === 200 ? "valid" : "invalid";
}

function toValidity(isValid: boolean): CredentialState {
  return isValid ? "valid" : "invalid";
}
