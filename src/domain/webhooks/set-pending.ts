import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/** Makes the deliveries of an endpoint that are pending due, with all attempts before them. */
export async function releasePending({ run, ctx }: Transaction, endpointId: string): Promise<void> {
  await run(RELEASE, [ctx.workspaceId, endpointId]);
}

/** Keeps the deliveries of an endpoint that are pending from being attempted. */
export async function parkPending({ run, ctx }: Transaction, endpointId: string): Promise<void> {
  await run(PARK, [ctx.workspaceId, endpointId]);
}

/** Gives up the deliveries of an endpoint that are pending, from this event on. */
export async function skipPending(
  { run, ctx }: Transaction,
  endpointId: string,
  fromSeq: number,
): Promise<void> {
  await run(SKIP, [ctx.workspaceId, endpointId, fromSeq]);
}

const RELEASE = sql`
UPDATE webhook_delivery SET attempts = 0, next_attempt_at = ${NOW}
WHERE workspace_id = $1::uuid AND endpoint_id = $2::uuid AND status = 'pending'`;

const PARK = sql`
UPDATE webhook_delivery SET next_attempt_at = NULL
WHERE workspace_id = $1::uuid AND endpoint_id = $2::uuid AND next_attempt_at IS NOT NULL`;

const SKIP = sql`
UPDATE webhook_delivery SET status = 'skipped', next_attempt_at = NULL
WHERE workspace_id = $1::uuid AND endpoint_id = $2::uuid AND status = 'pending' AND seq >= $3::bigint`;
