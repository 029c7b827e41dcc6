import { v7 as uuidv7 } from "uuid";
import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { DomainError, createFieldError } from "../../domain/kernel/errors.ts";
import { getFixedTimes } from "../../domain/kernel/get-fixed-times.ts";
import { requireSudo, requireUser } from "../../domain/kernel/guard.ts";
import { parseInput, text } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { addFirstFactor } from "../factors/add-first-factor.ts";
import { noteFactorChange } from "../factors/factor-change.ts";
import { type MadePasskey, verifyCreation } from "../vendor/webauthn.ts";
import { requireRoom } from "./begin-passkey.ts";
import { takeChallenge } from "./challenges.ts";
import { parsePasskeyResponse } from "./passkey-response.ts";
import { requireSite } from "./site.ts";
import { z } from "zod";

const shape = z.object({ name: text(LIMITS.nameLength), response: z.string() });

/**
 * Adds the passkey that the browser has made. The person's first factor brings recovery codes, and ends their other
 * sessions: those began with a password alone.
 *
 * @returns the recovery codes, shown once; null if the person has a factor already.
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; validation_failed at `name`, and at
 *   `response` if it can't be believed or is older than five minutes; invalid_state with ten passkeys; already_exists.
 */
export async function addPasskey(ctx: Ctx, input: z.input<typeof shape>): Promise<string[] | null> {
  const { id } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  const { name, response } = parseInput(shape, input);
  const site = requireSite(ctx.services);
  const parsed = parsePasskeyResponse(response);
  const use = { purpose: "add", subject: id } as const;
  const isFresh = parsed !== null && (await takeChallenge(ctx.run, use, parsed.challenge));
  const made = isFresh ? await verifyCreation(parsed.whole, { site, challenge: parsed.challenge }) : null;
  if (made === null) throw createFieldError("response", "could not be verified: start again");
  try {
    return await ctx.transaction((tx) => insert(tx, made, name), "urgent");
  } catch (error) {
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    throw new DomainError("already_exists", "This passkey is in use already.");
  }
}

async function insert(tx: Transaction, made: MadePasskey, name: string): Promise<string[] | null> {
  const { ctx, db } = tx;
  const user = await lockUser(tx, requireUser(ctx).id);
  const userId = user.id;
  requireRoom(await db.passkey.count({ where: { userId } }));
  const id = uuidv7();
  await db.passkey.create({
    data: {
      workspaceId: ctx.workspaceId,
      id,
      userId,
      name,
      ...made,
      ...getFixedTimes(ctx, "createdAt"),
    },
  });
  const recoveryCodes = user.hasSecondFactor ? null : await addFirstFactor(tx, user);
  const changes = { factor: "passkey", passkey_id: id, name };
  await noteFactorChange(tx, user, {
    action: "user.factor_added",
    news: "added",
    changes,
    hasFactor: true,
  });
  return recoveryCodes;
}
