import { v7 as uuidv7 } from "uuid";
import type { Policy, Prisma } from "../../src/db/generated/client.ts";
import { type AskingPolicy, hashRequest } from "../../src/domain/gateway-checks/hash-request.ts";
import { parseRequest } from "../../src/domain/gateway-checks/parse-request.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { append } from "../../src/domain/kernel/events.ts";

export type ApprovalFields = Partial<Prisma.ApprovalUncheckedCreateInput> & {
  agentId: string;
  policies: Pick<Policy, "id" | "generation" | "name">[];
  /** The arguments that an approver put in place of those that were asked for. */
  edited?: object;
};

/** Inserts an approval of a request, approved once for an hour unless said otherwise. @returns its id. */
export async function insertTestApproval(
  ctx: Ctx,
  asked: object,
  { agentId, policies, edited, ...fields }: ApprovalFields,
): Promise<string> {
  const id = uuidv7();
  const request = parseRequest(JSON.stringify(asked));
  const askedBy: AskingPolicy[] = policies.map((policy) => ({
    ...{ id: policy.id, generation: policy.generation, name: policy.name, contextMembers: [] },
  }));
  const binding = { agentId, askedBy, scope: fields.scope ?? ("exact" as const) };
  const editedRequest =
    edited &&
    parseRequest(
      JSON.stringify({ ...asked, action: { ...request.action, properties: { arguments: edited } } }),
    );
  const soon = new Date((await ctx.transaction((tx) => tx.now())).getTime() + 3_600_000);
  await ctx.transaction(async (tx) => {
    const { status } = await tx.db.approval.create({
      data: {
        ...{
          workspaceId: ctx.workspaceId,
          id,
          agentId,
          lineageId: agentId,
          decisionId: uuidv7(),
          role: "operator" as const,
        },
        ...{ action: request.action.name, resourceType: request.resource.type },
        ...{ resourceId: request.resource.id, request: request as object, hiddenValues: 0 },
        ...{ askedBy, persons: 1, uses: 1, scope: "exact" as const, canEdit: false, validSeconds: 3600 },
        ...{ status: "approved" as const, expiresAt: soon, approvedUntil: soon },
        requestHash: Buffer.from(hashRequest(request, binding), "hex"),
        ...(editedRequest && {
          editedArguments: edited,
          editedHash: Buffer.from(hashRequest(editedRequest, binding), "hex"),
        }),
        ...fields,
      },
    });
    append(tx, {
      events: [{ type: "approval.requested", subjectType: "approval", subjectId: id, agentId }],
      totals: [{ collection: "approvals", to: status }],
    });
  });
  return id;
}
