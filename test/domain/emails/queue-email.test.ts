import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { replaceDirectoryUser } from "../../../src/domain/directory/change-directory-user.ts";
import { createDirectoryUser } from "../../../src/domain/directory/create-directory-user.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

afterAll(() => server.close());

describe("queueEmail", () => {
  it("sends at most twenty notices to an address within 15 minutes", async () => {
    const { id } = await createDirectoryUser(ctx, { attributes: { userName: "0@example.com" } });
    const victim = "stranger@example.com";
    for (let n = 1; n <= 21; n++) {
      await replaceDirectoryUser(ctx, { id }, { userName: victim });
      await replaceDirectoryUser(ctx, { id }, { userName: `${n}@example.com` });
    }
    expect(await ctx.db.mailOutbox.count({ where: { sentTo: victim } })).toBe(20);
    expect(await ctx.db.mailOutbox.count()).toBe(41);
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    const member = await createDirectoryUser(other, { attributes: { userName: victim } });
    await replaceDirectoryUser(other, { id: member.id }, { userName: "moved@example.com" });
    expect(await other.db.mailOutbox.count({ where: { sentTo: victim } })).toBe(1);
  });
});
