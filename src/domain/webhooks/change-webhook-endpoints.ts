import type { WebhookEndpoint } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import type { AppendContent } from "../kernel/events.ts";

/** Locks an endpoint against other changes of it. @throws {DomainError} not_found. */
export async function lockWebhookEndpoint(
  { run, db, ctx }: Transaction,
  id: string,
): Promise<WebhookEndpoint> {
  const { workspaceId } = ctx;
  await run(LOCK, [workspaceId, id]);
  const endpoint = await db.webhookEndpoint.findUnique({ where: { workspaceId_id: { workspaceId, id } } });
  if (endpoint === null) throw createNotFoundError("webhook endpoint");
  return endpoint;
}

const LOCK = sql`
SELECT 1 FROM webhook_endpoint WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/** What happened to an endpoint, as events and the audit log say it. */
export type WebhookChange =
  `webhook_endpoint.${"created" | "updated" | "deleted" | "disabled" | "secret_rotated" | "tested" | "resent" | "events_lost"}`;

/**
 * The event and audit event of a change. `changes` has no secrets. The sender, too, learns from the event that the
 * endpoint has changed.
 */
export function describeWebhookEndpoint(
  change: WebhookChange,
  { id, generation }: Pick<WebhookEndpoint, "id" | "generation">,
  changes: Record<string, unknown> = {},
): AppendContent {
  return {
    events: [{ type: change, subjectType: "webhook_endpoint", subjectId: id, data: { generation } }],
    audit: [{ action: change, targetType: "webhook_endpoint", targetId: id, changes }],
  };
}
