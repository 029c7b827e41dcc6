import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsumedLink, consumeLink } from "../../../src/auth/emails/consume-link.ts";
import type { Link } from "../../../src/auth/emails/find-link.ts";
import { createLinkToken, hashLinkToken } from "../../../src/auth/emails/link.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  quiet = await openQuietServices();
  ctx = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
});

afterAll(() => quiet.close());

function consume(userId: string): Promise<ConsumedLink | null> {
  const digest = hashLinkToken(createLinkToken());
  if (digest === null) throw new Error("the token has no digest");
  const ids = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId, userId };
  const person = { workspaceName: "Test workspace", email: null, name: "Ada", role: "viewer" } as const;
  const link: Link = { context: "reset_password", digest, ...ids, ...person };
  return ctx.transaction((tx) => consumeLink(tx, link));
}

describe("consumeLink", () => {
  it("returns null if the person was deleted meanwhile", async () => {
    expect(await consume(crypto.randomUUID())).toBeNull();
  });

  it("does not take another error for that", async () => {
    await expect(consume("not an id")).rejects.toMatchObject({ code: "22P02" });
  });
});
