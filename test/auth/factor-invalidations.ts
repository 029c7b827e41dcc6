import { addTotp } from "../../src/auth/factors/add-totp.ts";
import { beginTotp } from "../../src/auth/factors/begin-totp.ts";
import { removeTotp } from "../../src/auth/factors/remove-totp.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { changeAsOwner } from "../support/credential-events.ts";
import { openSessionCtx } from "../support/open-session-ctx.ts";
import { makeCode } from "../support/second-factor.ts";
import { giveFactor } from "../support/test-factors.ts";
import type { Invalidation } from "./invalidation.ts";

/** The rows of the invalidation matrix about second factors. */
export const FACTOR_INVALIDATIONS: Invalidation[] = [
  {
    event: "the first second factor is added",
    happens: async ({ server, ownSession }) => {
      const ctx = await openSessionCtx(server, ownSession);
      const { secret, setup } = await beginTotp(ctx);
      await addTotp(ctx, { setup, code: makeCode(secret) });
    },
    invalidated: ["otherSession"],
    revocations: ["session factor_added"],
  },
  {
    event: "a second factor is removed in settings",
    happens: async ({ server, person, ownSession }) => {
      await giveFactor(server, person);
      await removeTotp(await openSessionCtx(server, ownSession));
    },
    revocations: ["user mfa_required"],
  },
  {
    event: "an owner removes the person's second factors",
    happens: async (credentials) => {
      await giveFactor(credentials.server, credentials.person);
      await changeAsOwner(credentials, "removeUserFactors", {
        id: toGlobalId("User", credentials.person.id),
      });
    },
    invalidated: ["ownSession", "otherSession"],
    revocations: ["session factors_removed", "session factors_removed", "user mfa_required"],
  },
];
