import { z } from "zod";
import { createTool } from "../tool.ts";
import { approval, approvalJson, readApproval } from "./approval-shape.ts";
import { WAIT_SECONDS, uuid, wholeNumber } from "./shapes.ts";

export const approvalStatus = createTool({
  name: "approval_status",
  title: "Look for an approval",
  description: "Says whether people have approved what you asked for with request_approval.",
  scopes: ["gateway:check"],
  effect: "reads",
  input: z.strictObject({
    approval_id: uuid,
    wait_s: wholeNumber(WAIT_SECONDS).default(0).describe("How long to wait for people, in seconds."),
  }),
  output: approval,
  run: async ({ ctx, baseUrl }, { approval_id: id, wait_s: seconds }) =>
    approvalJson(await readApproval(ctx, id, seconds), baseUrl),
});
