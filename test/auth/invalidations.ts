import { expect } from "vitest";
import { completeEmailChange } from "../../src/auth/email-change/complete-email-change.ts";
import { completeReset } from "../../src/auth/reset/complete-reset.ts";
import { findToken } from "../../src/auth/tokens/find-token.ts";
import { resumeWorkspace, suspendWorkspace } from "../../src/domain/workspaces/suspend-workspace.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { createTestClient } from "../support/test-client.ts";
import {
  change,
  changeAsOwner,
  changeByScim,
  expire,
  moveByScim,
  reissue,
  suspendByScim,
  waitUntilExpired,
} from "../support/credential-events.ts";
import { type CredentialName, type TestCredentials, sessionState } from "../support/test-credentials.ts";
import { SEEN, buildCookie, parseSetCookies } from "../support/people.ts";
import { askBy } from "../support/settings-client.ts";
import { FACTOR_INVALIDATIONS } from "./factor-invalidations.ts";
import type { Invalidation } from "./invalidation.ts";
import { SIGN_IN_INVALIDATIONS } from "./sign-in-invalidations.ts";

const SESSIONS: CredentialName[] = ["ownSession", "otherSession"];
const LINKS: CredentialName[] = ["resetLink", "emailLink", "invitation"];
const OF_PERSON: CredentialName[] = [...SESSIONS, ...LINKS];
const BEARERS: CredentialName[] = ["apiKey", "accessToken", "socketToken"];
const ANOTHER_PASSWORD = "a lantern over the water";

const ofPerson = ({ person }: TestCredentials) => ({ id: toGlobalId("User", person.id) });
const ofKey = ({ keyId }: TestCredentials) => ({ id: toGlobalId("ApiKey", keyId) });
const ofScimToken = ({ scimTokenId }: TestCredentials) => ({ id: toGlobalId("ScimToken", scimTokenId) });

/** The invalidation matrix, one event per row. */
export const INVALIDATIONS: Invalidation[] = [
  ...SIGN_IN_INVALIDATIONS,
  {
    event: "log-out",
    happens: async ({ server, ownSession }) => {
      const client = createTestClient(server.url, undefined, { cookie: buildCookie(ownSession) });
      expect((await client.send("/users/log-out", { method: "DELETE" })).status).toBe(303);
    },
    invalidated: ["ownSession"],
    revocations: ["session logged_out"],
  },
  {
    event: "a device is revoked",
    happens: async (credentials) => {
      const { body } = await askBy(
        credentials.server,
        credentials.otherSession,
      )("{ viewer { session { uuid } } }");
      const id = toGlobalId("Session", body.data.viewer.session.uuid);
      await change(credentials, credentials.ownSession, ["revokeSession", { id }]);
    },
    invalidated: ["otherSession"],
    revocations: ["session revoked"],
  },
  {
    event: "log-out everywhere",
    happens: async (credentials) =>
      void (await change(credentials, credentials.ownSession, ["logOutEverywhere", {}])),
    invalidated: SESSIONS,
    revocations: ["session logged_out", "session logged_out"],
  },
  {
    event: "a password reset is done",
    happens: async ({ server, resetLink }) => {
      const input = { token: resetLink, password: ANOTHER_PASSWORD, passwordConfirmation: ANOTHER_PASSWORD };
      expect(await completeReset(server.services, input, SEEN)).toBe("done");
    },
    invalidated: OF_PERSON,
    revocations: ["user password_reset"],
  },
  {
    event: "the password is changed in settings: this browser is handed a new session",
    happens: async (credentials) => {
      const [currentPassword, newPassword] = [credentials.person.password, ANOTHER_PASSWORD];
      const input = { currentPassword, newPassword, newPasswordConfirmation: newPassword };
      const answer = await change(credentials, credentials.ownSession, ["changePassword", input]);
      expect(await sessionState(credentials.server, credentials.ownSession)).toBe("invalid");
      return { ownSession: parseSetCookies(answer)["_agent_ops_key"]?.value ?? "" };
    },
    invalidated: ["otherSession", ...LINKS],
    revocations: ["session password_changed", "session password_changed"],
  },
  ...FACTOR_INVALIDATIONS,
  {
    event: "the e-mail address is changed",
    happens: async ({ server, emailLink }) => {
      expect(await completeEmailChange(server.services, emailLink, SEEN)).toBe("done");
    },
    invalidated: LINKS,
  },
  {
    event: "SCIM changes the e-mail address",
    happens: (credentials) => moveByScim(credentials, `moved.${credentials.person.email}`),
    invalidated: LINKS,
  },
  {
    event: "the person is suspended",
    happens: (credentials) => changeAsOwner(credentials, "suspendUser", ofPerson(credentials)),
    invalidated: OF_PERSON,
    revocations: ["user user_suspended"],
  },
  {
    event: "the person is suspended and unsuspended",
    happens: async (credentials) => {
      await changeAsOwner(credentials, "suspendUser", ofPerson(credentials));
      await changeAsOwner(credentials, "unsuspendUser", ofPerson(credentials));
    },
    invalidated: OF_PERSON,
    revocations: ["user user_suspended"],
  },
  {
    event: "the person is suspended where keys die with their maker",
    happens: async (credentials) => {
      await changeAsOwner(credentials, "updateWorkspace", { revokesKeysOfSuspendedCreator: true });
      await changeAsOwner(credentials, "suspendUser", ofPerson(credentials));
    },
    invalidated: [...OF_PERSON, ...BEARERS],
    revocations: ["user user_suspended", "api_key creator_suspended"],
  },
  {
    event: "the person is deleted",
    happens: (credentials) => changeAsOwner(credentials, "deleteUser", ofPerson(credentials)),
    invalidated: OF_PERSON,
    revocations: ["user user_deleted"],
  },
  {
    event: "SCIM sets active to false",
    happens: (credentials) => suspendByScim(credentials),
    invalidated: OF_PERSON,
    revocations: ["user user_suspended"],
  },
  {
    event: "SCIM deletes the person",
    happens: (credentials) => changeByScim(credentials, "DELETE"),
    invalidated: OF_PERSON,
    revocations: ["user user_deleted"],
  },
  {
    event: "the role is lowered",
    happens: async (credentials) => {
      await changeAsOwner(credentials, "updateUserRole", { ...ofPerson(credentials), role: "VIEWER" });
      const ask = askBy(credentials.server, credentials.ownSession);
      // Unavailable while the node is still to check the credential again.
      await expect.poll(async () => (await ask("{ viewer { role } }")).body.data?.viewer.role).toBe("VIEWER");
    },
    revocations: ["user role_changed"],
  },
  {
    event: "the workspace is suspended",
    happens: async ({ ctx }) => void (await suspendWorkspace(ctx)),
    forbidden: [...SESSIONS, ...BEARERS, "scimToken"],
    invalidated: LINKS,
    revocations: ["workspace workspace_suspended"],
  },
  {
    event: "the workspace is suspended and resumed",
    happens: async ({ ctx }) => {
      await suspendWorkspace(ctx);
      await resumeWorkspace(ctx);
    },
    invalidated: SESSIONS,
    revocations: ["workspace workspace_suspended"],
  },
  {
    event: "the API key is revoked",
    happens: (credentials) => changeAsOwner(credentials, "revokeApiKey", ofKey(credentials)),
    invalidated: BEARERS,
    revocations: ["api_key revoked"],
  },
  {
    event: "the API key expires",
    happens: async (credentials) => {
      await expire(credentials, "api_key", credentials.keyId);
      await waitUntilExpired(credentials.server, credentials.apiKey);
      await waitUntilExpired(credentials.server, credentials.accessToken);
    },
    invalidated: BEARERS,
  },
  {
    event: "the API key is rotated",
    happens: (credentials) => changeAsOwner(credentials, "rotateApiKey", ofKey(credentials)),
  },
  {
    event: "the API key is rotated, and its overlap ends",
    happens: async (credentials) => {
      await changeAsOwner(credentials, "rotateApiKey", ofKey(credentials));
      await expire(credentials, "api_key", credentials.keyId);
      await waitUntilExpired(credentials.server, credentials.apiKey);
    },
    invalidated: ["apiKey"],
  },
  {
    event: "the API key is rotated without an overlap",
    happens: (credentials) =>
      changeAsOwner(credentials, "rotateApiKey", { ...ofKey(credentials), overlapSeconds: 0 }),
    invalidated: ["apiKey"],
    revocations: ["api_key rotated"],
  },
  {
    event: "the API key's scopes are narrowed",
    happens: async (credentials) => {
      await changeAsOwner(credentials, "updateApiKey", { ...ofKey(credentials), scopes: ["tasks:read"] });
      for (const bearer of [credentials.apiKey, credentials.accessToken]) {
        const { body } = await createTestClient(credentials.server.url, bearer).get("/api/v1/whoami");
        expect(body.scopes).toEqual(["tasks:read"]);
      }
      expect((await findToken(credentials.ctx, credentials.socketToken))?.scopes).toEqual(["tasks:read"]);
    },
    revocations: ["api_key scopes_narrowed"],
  },
  {
    event: "the access token is revoked",
    happens: async ({ server, accessToken }) => {
      const { status } = await createTestClient(server.url, accessToken).delete(
        "/api/v1/agent_tokens/current",
      );
      expect(status).toBe(204);
    },
    invalidated: ["accessToken", "socketToken"],
    revocations: ["agent_token revoked"],
  },
  {
    event: "the access token expires",
    happens: async (credentials) => {
      await expire(credentials, "agent_token", credentials.tokenId);
      await waitUntilExpired(credentials.server, credentials.accessToken);
    },
    invalidated: ["accessToken", "socketToken"],
  },
  {
    event: "the SCIM token is rotated",
    happens: (credentials) => changeAsOwner(credentials, "rotateScimToken", {}),
  },
  {
    event: "the SCIM token is rotated, and its overlap ends",
    happens: async (credentials) => {
      await changeAsOwner(credentials, "rotateScimToken", {});
      await expire(credentials, "scim_token", credentials.scimTokenId);
    },
    invalidated: ["scimToken"],
  },
  {
    event: "the SCIM token is rotated without an overlap",
    happens: (credentials) => changeAsOwner(credentials, "rotateScimToken", { overlapSeconds: 0 }),
    invalidated: ["scimToken"],
    revocations: ["scim_token rotated"],
  },
  {
    event: "the SCIM token is revoked",
    happens: (credentials) => changeAsOwner(credentials, "revokeScimToken", ofScimToken(credentials)),
    invalidated: ["scimToken"],
    revocations: ["scim_token revoked"],
  },
  {
    event: "the session is reissued: the old one works until the new one is in use",
    happens: async (credentials) => void (await reissue(credentials.server, credentials.ownSession)),
  },
  {
    event: "a session that was replaced long ago comes back: its family ends",
    happens: async (credentials) => {
      const next = await reissue(credentials.server, credentials.ownSession);
      expect(await sessionState(credentials.server, next)).toBe("valid");
      await credentials.server.database.query(
        "UPDATE users_tokens SET first_used_at = first_used_at - interval '61 seconds' WHERE first_used_at IS NOT NULL",
      );
      expect(await sessionState(credentials.server, credentials.ownSession)).toBe("invalid");
      return { ownSession: next };
    },
    invalidated: ["ownSession"],
    revocations: ["session reuse_detected", "session reuse_detected"],
  },
];
