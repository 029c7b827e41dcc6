import { NOW, sql } from "../../db/sql.ts";
import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireUser } from "../kernel/guard.ts";
import { parseInput, nameInEmails } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockUser } from "./lock-user.ts";

const shape = z.object({ name: nameInEmails(LIMITS.nameLength).nullable() });

/**
 * Changes the caller's name; null removes it.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed; not_found.
 */
export async function updateProfile(ctx: Ctx, input: z.input<typeof shape>): Promise<void> {
  const { id: userId } = requireUser(ctx);
  const { name } = parseInput(shape, input);
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.name === name) return;
    await tx.run(UPDATE, [ctx.workspaceId, userId, name]);
    const data = { generation: user.generation + 1 };
    append(tx, {
      events: [{ type: "user.updated", subjectType: "user", subjectId: userId, data }],
      totals: [{ collection: "users", from: null, to: null }],
      audit: [
        {
          action: "user.updated",
          targetType: "user",
          targetId: userId,
          changes: { name: { from: user.name, to: name } },
        },
      ],
    });
  });
}

const UPDATE = sql`
UPDATE "user" SET name = $3, updated_at = ${NOW}, generation = generation + 1
  WHERE workspace_id = $1::uuid AND id = $2::uuid`;
