import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { WebhookEndpoint } from "../../db/generated/client.ts";
import { WebhookKind } from "../../db/generated/enums.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { describeWebhookEndpoint } from "../../domain/webhooks/change-webhook-endpoints.ts";
import { readLogHead } from "../../domain/webhooks/read-log-head.ts";
import { maskUrl, requireKnownTypes, webhookFields } from "../../domain/webhooks/webhook-fields.ts";
import { lockWorkspace } from "../../domain/workspaces/lock-workspace.ts";
import { createWebhookSecret, requireSealedBox, sealWebhookSecret } from "./webhook-secret.ts";

const shape = z.object({
  kind: z.enum(WebhookKind).default("events"),
  ...webhookFields,
  eventTypes: webhookFields.eventTypes.default(["*"]),
  description: webhookFields.description.default(""),
  enabled: z.boolean().default(true),
});

/** An endpoint, and its secret, which is returned only here; null for a chat. */
export type CreatedWebhookEndpoint = { endpoint: WebhookEndpoint; secret: string | null };

/**
 * Adds an endpoint to which events are sent from now on: signed with a new secret or, to a chat, as messages for people.
 * A chat's URL is a secret, and never returned again.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed, also if the workspace
 *   has too many; invalid_state if the server has no key for secrets.
 */
export async function createWebhookEndpoint(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<CreatedWebhookEndpoint> {
  requireSudo(ctx, "admin");
  const { enabled, url, ...fields } = parseInput(shape, input);
  requireKnownTypes(fields.kind, fields.eventTypes);
  const box = requireSealedBox(ctx);
  const own = { workspaceId: ctx.workspaceId, id: uuidv7() };
  const isChat = fields.kind === "chat";
  const secret = isChat ? url : createWebhookSecret();
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    if ((await tx.db.webhookEndpoint.count()) >= LIMITS.webhookEndpoints) {
      throw createFieldError(
        "url",
        `can't be added: a workspace has at most ${LIMITS.webhookEndpoints} webhook endpoints`,
      );
    }
    const by = createActorRecord(ctx.actor);
    const now = await tx.now();
    const { seq } = await readLogHead(tx);
    const endpoint = await tx.db.webhookEndpoint.create({
      data: {
        ...fields,
        ...own,
        url: isChat ? maskUrl(url) : url,
        sealedSecret: sealWebhookSecret(box, own, secret),
        cursorSeq: seq,
        ...{ createdBy: by, updatedBy: by, createdAt: now, updatedAt: now },
        ...(!enabled && { disabledBecause: "person", disabledAt: now }),
      },
    });
    const { kind, description, eventTypes } = fields;
    const told = { kind, url: endpoint.url, description, event_types: eventTypes, enabled };
    append(tx, describeWebhookEndpoint("webhook_endpoint.created", endpoint, told));
    return { endpoint, secret: isChat ? null : secret };
  });
}
