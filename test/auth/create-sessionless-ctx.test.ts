import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { createSessionlessCtx } from "../../src/auth/create-sessionless-ctx.ts";
import { requestEmailChange } from "../../src/auth/email-change/request-email-change.ts";
import { logOutEverywhere } from "../../src/auth/sessions/log-out.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { updateProfile } from "../../src/domain/users/update-profile.ts";
import { getErrorCode } from "../support/callers.ts";
import { SEEN } from "../support/people.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";

let quiet: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  quiet = await openQuietServices();
  const { workspaceId } = await quiet.createWorkspace();
  const owner = { id: crypto.randomUUID(), workspaceId, name: "Ada", role: "owner" } as const;
  ctx = createSessionlessCtx(quiet.services, owner, SEEN);
});

afterAll(() => quiet.close());

describe("createSessionlessCtx", () => {
  it("has the actor and IP address", () => {
    expect(ctx).toMatchObject({ ...SEEN, actor: { type: "user", name: "Ada", session: null } });
  });

  it("mints no credential, whatever the user's role", async () => {
    expect(await getErrorCode(createApiKey(ctx, { name: "A key", scopes: ["tasks:read"] }))).toBe(
      "sudo_required",
    );
  });

  it("doesn't count as logged in", async () => {
    const refused = [
      updateProfile(ctx, { name: "Eva" }),
      requestEmailChange(ctx, "eva@example.com"),
      logOutEverywhere(ctx),
    ];
    expect(await Promise.all(refused.map(getErrorCode))).toEqual(["forbidden", "forbidden", "forbidden"]);
  });
});
