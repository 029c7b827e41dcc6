import { z } from "zod";
import { toColumnName } from "../../db/columns.ts";
import type { Prisma, WebhookEndpoint } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput, uuid } from "../../domain/kernel/input.ts";
import {
  describeWebhookEndpoint,
  lockWebhookEndpoint,
} from "../../domain/webhooks/change-webhook-endpoints.ts";
import { readLogHead } from "../../domain/webhooks/read-log-head.ts";
import { releasePending, skipPending } from "../../domain/webhooks/set-pending.ts";
import { maskUrl, requireKnownTypes, webhookFields } from "../../domain/webhooks/webhook-fields.ts";
import { requireSealedBox, sealWebhookSecret } from "./webhook-secret.ts";

const shape = z.object({
  id: uuid,
  ...z.object(webhookFields).partial().shape,
  enabled: z.boolean().exactOptional(),
  /** Whether what was not delivered until now is skipped. */
  fromNow: z.boolean().default(false),
  ifGeneration: z.int().nullish(),
});

const FIELDS = ["description", "eventTypes"] as const;

/**
 * Changes an endpoint, but not its kind. Once enabled again, it gets what it missed, as far as the log has it, unless `fromNow`.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; precondition_failed if its
 *   generation is another one than `ifGeneration`; validation_failed; invalid_state for a chat's URL if the server has no
 *   key for secrets.
 */
export async function updateWebhookEndpoint(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<WebhookEndpoint> {
  requireSudo(ctx, "admin");
  const { id, ifGeneration, enabled, fromNow, ...given } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const before = await lockWebhookEndpoint(tx, id);
    if (typeof ifGeneration === "number" && before.generation !== ifGeneration) {
      throw new DomainError("precondition_failed", "The webhook endpoint was changed. Read it again.");
    }
    if (given.eventTypes !== undefined) requireKnownTypes(before.kind, given.eventTypes);
    const changed = FIELDS.filter(
      (field) => given[field] !== undefined && String(given[field]) !== String(before[field]),
    );
    const moved = given.url === undefined ? null : moveEndpoint(ctx, before, given.url);
    const isSwitched = enabled !== undefined && enabled !== (before.disabledAt === null);
    if (changed.length === 0 && moved === null && !isSwitched && !fromNow) return before;
    const endpoint = await tx.db.webhookEndpoint.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
      data: {
        ...Object.fromEntries(changed.map((field) => [field, given[field]])),
        ...moved,
        ...(isSwitched && (await switchEndpoint(tx, id, enabled))),
        ...(fromNow && (await moveToNow(tx, id))),
        generation: { increment: 1 },
        updatedBy: createActorRecord(ctx.actor),
        updatedAt: await tx.now(),
      },
    });
    append(
      tx,
      describeWebhookEndpoint("webhook_endpoint.updated", endpoint, {
        ...Object.fromEntries(
          changed.map((field) => [toColumnName(field), { from: before[field], to: endpoint[field] }]),
        ),
        ...(moved !== null && { url: { from: before.url, to: endpoint.url } }),
        ...(isSwitched && { enabled: { from: !enabled, to: enabled } }),
        ...(fromNow && { from_now: true }),
      }),
    );
    return endpoint;
  });
}

/** What changes with another URL; null if it is the same. A chat's can't be compared. */
function moveEndpoint(
  ctx: Ctx,
  before: WebhookEndpoint,
  url: string,
): Prisma.WebhookEndpointUpdateInput | null {
  if (before.kind === "events") return url === before.url ? null : { url };
  return { url: maskUrl(url), sealedSecret: sealWebhookSecret(requireSealedBox(ctx), before, url) };
}

async function switchEndpoint(
  tx: Transaction,
  id: string,
  enabled: boolean,
): Promise<Prisma.WebhookEndpointUpdateInput> {
  if (!enabled) return { disabledBecause: "person", disabledAt: await tx.now() };
  await releasePending(tx, id);
  return { disabledBecause: null, disabledAt: null, isHeld: false };
}

async function moveToNow(tx: Transaction, id: string): Promise<Prisma.WebhookEndpointUpdateInput> {
  await skipPending(tx, id, 0);
  const { seq } = await readLogHead(tx);
  return { cursorSeq: seq, seek: { increment: 1 }, isHeld: false };
}
