import { afterAll, beforeAll, expect, it } from "vitest";
import { deliverEmails } from "../../../src/auth/emails/deliver-emails.ts";
import { setSignInProvider } from "../../../src/auth/oidc/set-sign-in-provider.ts";
import { createUser } from "../../../src/auth/users/create-user.ts";
import { queueEmail } from "../../../src/domain/emails/queue-email.ts";
import { type MailWorld, BASE_URL, OLD_PASSWORD, openMailWorld } from "../../support/mail-world.ts";
import { NEW_SIGN_IN_PROVIDER } from "../../support/test-sign-in.ts";

let world: MailWorld;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

it("invites to sign in at the provider where that is enforced, without a link to set a password", async () => {
  const { ctx, id: userId, email: sentTo } = await world.createMember();
  const owner = { email: "owner@example.com", name: "Grace", role: "owner", confirmed: true } as const;
  const { passwords } = world.services;
  const breakGlassOwnerId = await createUser(ctx, passwords, { ...owner, password: OLD_PASSWORD });
  await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, enforced: true, breakGlassOwnerId });
  const data = { invitedBy: "Grace" };
  await ctx.transaction((tx) => queueEmail(tx, { userId, sentTo, authEpoch: 0, kind: "invitation", data }));
  await deliverEmails(world.services);
  const text = world.api.emails[0]?.form["text"] ?? "";
  expect(text).toContain("To join, sign in with your company's account.");
  expect(text.match(/https?:\/\/\S+/g)).toEqual([`${BASE_URL}/users/log-in`]);
  expect(await ctx.db.userToken.count({ where: { userId } })).toBe(0);
});
