import { hashSecret } from "../../src/auth/credentials.ts";
import { setSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import { changeAsOwner } from "../support/credential-events.ts";
import type { TestCredentials } from "../support/test-credentials.ts";
import { NEW_SIGN_IN_PROVIDER } from "../support/test-sign-in.ts";
import type { Invalidation } from "./invalidation.ts";

/** Gives the workspace a provider, at which the person's own session began. */
async function beginAtProvider({ ctx, server, ownSession }: TestCredentials): Promise<void> {
  const { id } = await setSignInProvider(ctx, NEW_SIGN_IN_PROVIDER);
  const moved = "UPDATE users_tokens SET provider_id = $2 WHERE token_digest = $1";
  await server.database.query(moved, [hashSecret(ownSession), id]);
}

/** The rows of the invalidation matrix about providers of sign-in. */
export const SIGN_IN_INVALIDATIONS: Invalidation[] = [
  {
    event: "sign-in by the provider is enforced",
    happens: async (credentials) => {
      const input = { ...NEW_SIGN_IN_PROVIDER, enforced: true };
      await changeAsOwner(credentials, "setSignInProvider", input);
    },
    invalidated: ["ownSession", "otherSession", "resetLink", "invitation"],
    revocations: ["session sign_in_enforced", "session sign_in_enforced"],
  },
  {
    event: "the provider at which the session began is deleted",
    happens: async (credentials) => {
      await beginAtProvider(credentials);
      await changeAsOwner(credentials, "deleteSignInProvider", {});
    },
    invalidated: ["ownSession"],
    revocations: ["session provider_deleted"],
  },
  {
    event: "the provider at which the session began becomes another",
    happens: async (credentials) => {
      await beginAtProvider(credentials);
      await changeAsOwner(credentials, "setSignInProvider", { ...NEW_SIGN_IN_PROVIDER, clientId: "another" });
    },
    invalidated: ["ownSession"],
    revocations: ["session provider_changed"],
  },
];
