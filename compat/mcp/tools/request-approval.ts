import { z } from "zod";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { actionRequest, toRequestText } from "./action-request.ts";
import {
  ApprovalFields,
  type ApprovalRow,
  approval,
  approvalJson,
  deferApproval,
  readApproval,
} from "./approval-shape.ts";
import { WAIT_SECONDS, uuid, wholeNumber } from "./shapes.ts";

const RequestApproval = graphql(
  `
    mutation RequestApproval($input: RequestAccessInput!) {
      requested: requestAccess(input: $input) {
        approval {
          ...AskedApprovalFields
        }
      }
    }
  `,
  [ApprovalFields],
);

const input = z.strictObject({
  evaluation_id: uuid,
  ...actionRequest,
  wait_s: wholeNumber(WAIT_SECONDS).default(0).describe("How long to wait for people, in seconds."),
});

export const requestApproval = createTool({
  name: "request_approval",
  title: "Ask people for an approval",
  description:
    "Asks people about what permission_check denied within the last ten minutes. Send the same request with its evaluation_id. While the status is pending, call approval_status; once it is approved, call permission_check with the approval_id.",
  scopes: ["gateway:check"],
  effect: "asks",
  input,
  output: approval,
  run: async ({ ctx, baseUrl }, given) => {
    const { wait_s: seconds } = given;
    const asked = await request(ctx, given);
    return approvalJson(seconds === 0 ? asked : await readApproval(ctx, asked.id, seconds), baseUrl);
  },
  defer: async ({ ctx, baseUrl }, given) => deferApproval(await request(ctx, given), baseUrl),
});

async function request(
  ctx: Ctx,
  { evaluation_id: evaluationUuid, wait_s: _seconds, ...asked }: z.output<typeof input>,
): Promise<ApprovalRow> {
  const { requested } = await execute(ctx, RequestApproval, {
    input: { evaluationUuid, requestText: toRequestText(asked) },
  });
  return requested.approval;
}
