import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { append } from "../../src/domain/kernel/events.ts";

/** Inserts an execution that started, with a lease of an hour, unless said otherwise. @returns its id. */
export async function insertTestExecution(
  ctx: Ctx,
  fields: Partial<Prisma.ExecutionUncheckedCreateInput> & { agentId: string },
): Promise<string> {
  const id = uuidv7();
  await ctx.transaction(async (tx) => {
    const { status } = await tx.db.execution.create({
      data: {
        ...{ workspaceId: ctx.workspaceId, id, decisionId: uuidv7(), credentialId: uuidv7(), fence: 1 },
        ...{ action: "tools/call", resourceType: "tool", resourceId: "x.y", leaseSeconds: 3600 },
        ...{ requestHash: new Uint8Array(32), leaseExpiresAt: new Date(Date.now() + 3_600_000) },
        ...fields,
      },
    });
    append(tx, {
      events: [{ type: "execution.started", subjectType: "execution", subjectId: id }],
      totals: [{ collection: "executions", to: status }],
    });
  });
  return id;
}
