import { z } from "zod";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { actionRequest, toRequestText } from "./action-request.ts";
import { uuid } from "./shapes.ts";

const CheckPermission = graphql(`
  mutation CheckPermission($input: CheckGatewayInput!) {
    checked: checkGateway(input: $input) {
      check {
        id: uuid
        status
        reason
        requestableUntil
        approval {
          comment
        }
        execution {
          id: uuid
        }
      }
    }
  }
`);

export const permissionCheck = createTool({
  name: "permission_check",
  title: "Ask whether you may do something",
  description:
    "Asks the workspace's policies before you do something with consequences. Do it only if decision is allowed, and exactly as you asked. If it is denied and approval_possible is true, ask people with request_approval; once they have approved, call this again with the approval_id, which uses the approval.",
  scopes: ["gateway:check"],
  effect: "writes",
  input: z.strictObject({
    ...actionRequest,
    approval_id: uuid.optional().describe("An approval of the same request, which this call uses."),
  }),
  output: z.object({
    decision: z.enum(["allowed", "denied"]),
    reason: z.string().describe("Such as policy_allow, policy_deny or approval_required."),
    comment: z.string().nullable().describe("Why a person said no."),
    evaluation_id: uuid.describe("The decision's id, by which request_approval asks people."),
    approval_possible: z.boolean(),
    execution_id: uuid
      .nullable()
      .describe("With an approval: the key of what you do, so that it is done once."),
  }),
  run: async ({ ctx }, { approval_id: approvalId, ...asked }) => {
    const requestText = toRequestText(asked, approvalId);
    const input = { requestText, autoRequest: false, reevaluates: true };
    const { checked } = await execute(ctx, CheckPermission, { input });
    const { id, status, reason, requestableUntil, approval, execution } = checked.check;
    return {
      decision: status === "ALLOWED" ? ("allowed" as const) : ("denied" as const),
      reason: reason.toLowerCase(),
      comment: approval?.comment ?? null,
      evaluation_id: id,
      approval_possible: requestableUntil !== null,
      execution_id: execution?.id ?? null,
    };
  },
});
