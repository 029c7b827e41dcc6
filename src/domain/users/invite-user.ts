import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRank, requireSudo } from "../kernel/guard.ts";
import { email, parseInput, nameInEmails } from "../kernel/input.ts";
import { limitEmails } from "../emails/limit-emails.ts";
import { limitInvitations } from "../emails/limit-invitations.ts";
import { queueEmail } from "../emails/queue-email.ts";
import { LIMITS } from "../kernel/limits.ts";
import { ROLES } from "../kernel/scopes.ts";
import { insertUser } from "./insert-user.ts";

const shape = z.object({
  email,
  name: nameInEmails(LIMITS.nameLength).nullish(),
  role: z.enum(ROLES, { error: `must be one of ${ROLES.join(", ")}` }),
});

/**
 * Adds a member without a password and sends an invitation to set one.
 *
 * @returns the user's id.
 * @throws {DomainError} forbidden below admin, and for a role above the caller's; sudo_required;
 *   validation_failed, also if another user of the workspace has the address; rate_limited after five emails
 *   to the address, or 100 invitations of the workspace, within 15 minutes.
 */
export async function inviteUser(ctx: Ctx, input: z.input<typeof shape>): Promise<string> {
  requireSudo(ctx, "admin");
  const { email, name = null, role } = parseInput(shape, input);
  requireRank(ctx, role);
  return ctx.transaction(async (tx) => {
    const nobodyYet = { hashedPassword: null, confirmedAt: null };
    const { userId, appended } = await insertUser(tx, { email, name, role, ...nobodyYet });
    await limitEmails(tx, email);
    await limitInvitations(tx);
    const invitation = { kind: "invitation", sentTo: email, authEpoch: 0 } as const;
    await queueEmail(tx, { userId, ...invitation, data: { invitedBy: ctx.actor.name } });
    const target = { targetType: "user", targetId: userId };
    append(tx, {
      ...appended,
      events: [...appended.events, { type: "user.invited", subjectType: "user", subjectId: userId }],
      audit: [
        { action: "user.created", ...target, changes: { role } },
        { action: "user.invited", ...target },
      ],
    });
    return userId;
  });
}
