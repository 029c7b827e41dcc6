import { z } from "zod";
import type { ModelPrice } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";

const shape = z.object({ id: uuid });

/**
 * Deletes a price.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found.
 */
export async function deleteModelPrice(ctx: Ctx, input: z.input<typeof shape>): Promise<ModelPrice> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
    const price = await tx.db.modelPrice.findUnique({ where });
    if (price === null) throw createNotFoundError("price");
    await tx.db.modelPrice.delete({ where });
    const [change, { provider, model, generation, validFrom }] = ["model_price.deleted", price];
    append(tx, {
      events: [
        { type: change, subjectType: "model_price", subjectId: id, data: { provider, model, generation } },
      ],
      totals: [{ collection: "model_prices", from: null }],
      audit: [
        {
          action: change,
          targetType: "model_price",
          targetId: id,
          changes: { provider, model, valid_from: validFrom },
        },
      ],
    });
    return price;
  });
}
