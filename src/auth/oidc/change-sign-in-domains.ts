import { randomBytes } from "node:crypto";
import { domainToASCII } from "node:url";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import type { SignInDomain } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError, createFieldError, createNotFoundError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { getFixedTimes } from "../../domain/kernel/get-fixed-times.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput, uuid } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { takeHit } from "../../domain/kernel/throttle.ts";
import { lockWorkspace } from "../../domain/workspaces/lock-workspace.ts";
import { describeDomain } from "./describe-sign-in.ts";
import { findRecordProblem } from "./find-verification-record.ts";

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const shape = z.object({
  domain: z
    .string()
    .max(LIMITS.queryLength * 3, "is too long")
    .transform((value) => domainToASCII(value.trim()).toLowerCase())
    .refine((value) => DOMAIN.test(value), "must be a domain, such as example.com"),
});

const idShape = z.object({ id: uuid });

/** Look-ups in DNS of a workspace within 15 minutes. */
const LOOK_UPS = 30;

/**
 * Adds a domain of email addresses, which counts once it is verified. Adding it again changes nothing.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed, also if the workspace
 *   has too many.
 */
export async function addSignInDomain(ctx: Ctx, input: z.input<typeof shape>): Promise<SignInDomain> {
  requireSudo(ctx, "admin");
  const { domain } = parseInput(shape, input);
  const { workspaceId } = ctx;
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const { signInDomain } = tx.db;
    const known = await signInDomain.findUnique({ where: { workspaceId_domain: { workspaceId, domain } } });
    if (known !== null) return known;
    if ((await signInDomain.count()) >= LIMITS.signInDomains) {
      throw createFieldError("domain", `can't be added: a workspace has at most ${LIMITS.signInDomains}`);
    }
    const token = randomBytes(24).toString("base64url");
    const data = { workspaceId, id: uuidv7(), domain, token, ...getFixedTimes(ctx, "createdAt") };
    const added = await signInDomain.create({ data });
    append(tx, describeDomain("sign_in_domain.added", added));
    return added;
  });
}

/**
 * Verifies a domain by its DNS record. From then on its addresses are asked for the workspace's provider.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; rate_limited; validation_failed
 *   without the record; already_exists if another workspace has verified it.
 */
export async function verifySignInDomain(ctx: Ctx, input: z.input<typeof idShape>): Promise<SignInDomain> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(idShape, input);
  const { workspaceId } = ctx;
  const domain = await ctx.db.signInDomain.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
  if (domain === null) throw createNotFoundError("domain");
  if (domain.verifiedAt !== null) return domain;
  const throttle = { key: `sign-in-domain:${workspaceId}`, limit: LOOK_UPS };
  if ((await takeHit({ database: ctx.services.database, now: ctx.now }, throttle)) === null) {
    throw new DomainError("rate_limited", "Too many look-ups. Try again in 15 minutes.");
  }
  const problem = await findRecordProblem(domain.domain, domain.token);
  if (problem !== null) throw createFieldError("domain", problem);
  return markVerified(ctx, id, "dns");
}

/**
 * Adds a domain and verifies it without DNS, for whoever runs the server.
 *
 * @throws {DomainError} forbidden but for the system; validation_failed; already_exists if another workspace has
 *   verified it.
 */
export async function vouchForSignInDomain(ctx: Ctx, input: z.input<typeof shape>): Promise<SignInDomain> {
  if (ctx.actor.type !== "system") throw new DomainError("forbidden", "Only the command line can do this.");
  const { id } = await addSignInDomain(ctx, input);
  return markVerified(ctx, id, "command line");
}

async function markVerified(ctx: Ctx, id: string, by: string): Promise<SignInDomain> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  try {
    return await ctx.transaction(async (tx) => {
      await lockWorkspace(tx);
      const before = await tx.db.signInDomain.findUnique({ where });
      if (before === null) throw createNotFoundError("domain");
      if (before.verifiedAt !== null) return before;
      const data = { verifiedAt: await tx.now() };
      const verified = await tx.db.signInDomain.update({ where, data });
      append(tx, describeDomain("sign_in_domain.verified", verified, { by }));
      return verified;
    });
  } catch (error) {
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    throw new DomainError(
      "already_exists",
      "Another workspace has verified this domain. Delete it there first, or ask whoever runs this server.",
      { field: "domain" },
    );
  }
}

/**
 * Deletes a domain. Its addresses are not asked for the provider any more, and another workspace may verify it.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found.
 */
export async function deleteSignInDomain(ctx: Ctx, input: z.input<typeof idShape>): Promise<SignInDomain> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(idShape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const domain = await tx.db.signInDomain.findUnique({ where });
    if (domain === null) throw createNotFoundError("domain");
    await tx.db.signInDomain.delete({ where });
    append(tx, describeDomain("sign_in_domain.deleted", domain));
    return domain;
  });
}
