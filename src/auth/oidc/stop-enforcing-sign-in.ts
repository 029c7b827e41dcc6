import type { SignInProvider } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { lockWorkspace } from "../../domain/workspaces/lock-workspace.ts";
import { describeProvider } from "./describe-sign-in.ts";

/**
 * Lets members log in with their passwords again, and changes nothing else of the provider.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; invalid_state if it is not enforced.
 */
export async function stopEnforcingSignIn(ctx: Ctx): Promise<SignInProvider> {
  requireSudo(ctx, "admin");
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const before = await tx.db.signInProvider.findFirst({ where: { enforced: true } });
    if (before === null) throw new DomainError("invalid_state", "No sign-in provider is enforced.");
    const provider = await tx.db.signInProvider.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: {
        enforced: false,
        updatedBy: createActorRecord(ctx.actor),
        updatedAt: await tx.now(),
        generation: before.generation + 1,
      },
    });
    append(tx, describeProvider("sign_in_provider.set", provider, { enforced: false }));
    return provider;
  });
}
