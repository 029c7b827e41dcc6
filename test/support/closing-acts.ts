import { expect } from "vitest";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { revokeApiKey } from "../../src/auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import { updateApiKey } from "../../src/auth/api-keys/update-api-key.ts";
import { completeEmailChange } from "../../src/auth/email-change/complete-email-change.ts";
import { completeReset } from "../../src/auth/reset/complete-reset.ts";
import { deactivateUser } from "../../src/domain/users/deactivate-user.ts";
import { updateUserRole } from "../../src/domain/users/update-user-role.ts";
import { suspendWorkspace } from "../../src/domain/workspaces/suspend-workspace.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createTestClient } from "./test-client.ts";
import { change, changeAsOwner, changeByScim, suspendByScim } from "./credential-events.ts";
import type { TestCredentials } from "./test-credentials.ts";
import { SEEN, buildCookie } from "./people.ts";
import { askBy } from "./settings-client.ts";

/** What opens a socket, or mints its token. */
export const SOCKETS = ["ownSession", "otherSession", "accessToken", "apiKey"] as const;

export type SocketName = (typeof SOCKETS)[number];

/** Changes to credentials, with the close codes of their sockets. Others stay open. */
export type ClosingAct = {
  event: string;
  happens: (credentials: TestCredentials) => Promise<unknown>;
  closed: Partial<Record<SocketName, number>>;
};

const PASSWORD = "a lantern over the water";
const SESSIONS = { ownSession: 4401, otherSession: 4401 };
const BEARERS = { accessToken: 4401, apiKey: 4401 };

/** Every row of the invalidation matrix that can affect a socket. */
export const CLOSING_ACTS: ClosingAct[] = [
  {
    event: "a password reset",
    happens: async ({ resetLink, server }) => {
      const input = { token: resetLink, password: PASSWORD, passwordConfirmation: PASSWORD };
      expect(await completeReset(server.services, input, SEEN)).toBe("done");
    },
    closed: SESSIONS,
  },
  {
    event: "a log-out",
    happens: async ({ ownSession, server }) => {
      const client = createTestClient(server.url, undefined, { cookie: buildCookie(ownSession) });
      expect((await client.send("/users/log-out", { method: "DELETE" })).status).toBe(303);
    },
    closed: { ownSession: 4401 },
  },
  {
    event: "a log-out everywhere",
    happens: (credentials) => change(credentials, credentials.ownSession, ["logOutEverywhere", {}]),
    closed: SESSIONS,
  },
  {
    event: "a device's revocation",
    happens: async (credentials) => {
      const { body } = await askBy(
        credentials.server,
        credentials.otherSession,
      )("{ viewer { session { uuid } } }");
      const id = toGlobalId("Session", body.data.viewer.session.uuid);
      await change(credentials, credentials.ownSession, ["revokeSession", { id }]);
    },
    closed: { otherSession: 4401 },
  },
  {
    event: "another password",
    happens: (credentials) => {
      const input = { newPassword: PASSWORD, newPasswordConfirmation: PASSWORD };
      const { password: currentPassword } = credentials.person;
      return change(credentials, credentials.ownSession, ["changePassword", { currentPassword, ...input }]);
    },
    closed: { ownSession: 4403, otherSession: 4403 },
  },
  {
    event: "another e-mail address, which sessions survive",
    happens: async ({ emailLink, server }) => {
      expect(await completeEmailChange(server.services, emailLink, SEEN)).toBe("done");
    },
    closed: {},
  },
  {
    event: "a person's suspension",
    happens: ({ ctx, person }) => deactivateUser(ctx, person.id),
    closed: SESSIONS,
  },
  {
    event: "a person's suspension by SCIM",
    happens: suspendByScim,
    closed: SESSIONS,
  },
  {
    event: "a person's deletion by SCIM",
    happens: (credentials) => changeByScim(credentials, "DELETE"),
    closed: SESSIONS,
  },
  {
    event: "a person's suspension where keys die with their maker, and a key was rotated before",
    happens: async (credentials) => {
      const ownKey = { id: toGlobalId("ApiKey", credentials.keyId), overlapSeconds: 0 };
      await change(credentials, credentials.ownSession, ["rotateApiKey", ownKey]);
      await changeAsOwner(credentials, "updateWorkspace", { revokesKeysOfSuspendedCreator: true });
      await changeAsOwner(credentials, "suspendUser", { id: toGlobalId("User", credentials.person.id) });
    },
    closed: { ...SESSIONS, accessToken: 4403, apiKey: 4403 },
  },
  {
    event: "a lower role",
    happens: ({ ctx, person }) => updateUserRole(ctx, person.id, "viewer"),
    closed: { ownSession: 4403, otherSession: 4403 },
  },
  {
    event: "a workspace's suspension",
    happens: ({ ctx }) => suspendWorkspace(ctx),
    closed: { ownSession: 4403, otherSession: 4403, accessToken: 4403, apiKey: 4403 },
  },
  {
    event: "an API key's revocation",
    happens: ({ ctx, keyId }) => revokeApiKey(ctx, keyId),
    closed: BEARERS,
  },
  {
    event: "fewer scopes of an API key",
    happens: ({ ctx, keyId }) => updateApiKey(ctx, keyId, { scopes: ["tasks:read"] }),
    closed: { accessToken: 4403, apiKey: 4403 },
  },
  {
    event: "fewer scopes of the key that took a key's place, and its tokens with it",
    happens: async ({ ctx, keyId }) => {
      const { apiKey } = await rotateApiKey(ctx, keyId);
      await updateApiKey(ctx, apiKey.id, { scopes: ["tasks:read"] });
    },
    closed: { accessToken: 4403, apiKey: 4403 },
  },
  {
    event: "other addresses of an API key",
    happens: ({ ctx, keyId }) => updateApiKey(ctx, keyId, { ipAllowlist: ["192.0.2.0/24"] }),
    closed: { accessToken: 4403, apiKey: 4403 },
  },
  {
    event: "an access token's revocation",
    happens: ({ ctx, tokenId }) => revokeAgentToken(ctx, tokenId),
    closed: { accessToken: 4401 },
  },
  {
    event: "an API key's rotation, which its tokens survive",
    happens: ({ ctx, keyId }) => rotateApiKey(ctx, keyId, { overlapSeconds: 0 }),
    closed: {},
  },
  {
    event: "the revocation of the key that took a key's place",
    happens: async ({ ctx, keyId }) => {
      const { apiKey } = await rotateApiKey(ctx, keyId);
      await revokeApiKey(ctx, apiKey.id);
    },
    closed: BEARERS,
  },
  {
    event: "a SCIM token's revocation, which is no socket's",
    happens: (credentials) =>
      changeAsOwner(credentials, "revokeScimToken", { id: toGlobalId("ScimToken", credentials.scimTokenId) }),
    closed: {},
  },
];
