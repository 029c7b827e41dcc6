import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";

/**
 * Removes a deleted user from all groups, and deletes what identity providers stored about them.
 *
 * @returns what the caller must append.
 */
export async function forgetMember(tx: Transaction, userId: string): Promise<AppendContent> {
  const { run, db, ctx } = tx;
  await db.userEmail.deleteMany({ where: { userId } });
  await run(UPDATE, [ctx.workspaceId, userId]);
  return leaveGroups(tx, userId);
}

const UPDATE = sql`UPDATE "user" SET external_id = NULL, profile = '{}' WHERE workspace_id = $1::uuid AND id = $2::uuid`;

async function leaveGroups({ run, ctx }: Transaction, userId: string): Promise<AppendContent> {
  const groups = await run(UPDATE_GROUP_MEMBER, [ctx.workspaceId, userId]);
  return {
    events: groups.map(({ id, generation }) => ({
      type: "group.updated",
      subjectType: "group",
      subjectId: id,
      data: { generation, added: 0, removed: 1 },
    })),
    totals: groups.map(() => ({ collection: "groups", from: null, to: null })),
  };
}

const UPDATE_GROUP_MEMBER = sql<{ id: string; generation: number }>`
WITH gone AS (
  DELETE FROM group_member WHERE workspace_id = $1::uuid AND user_id = $2::uuid RETURNING group_id
)
UPDATE "group" SET generation = generation + 1, updated_at = ${NOW}
WHERE workspace_id = $1::uuid AND id IN (SELECT group_id FROM gone) RETURNING id, generation`;
