import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createFieldError } from "../../src/domain/kernel/errors.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { RequestBody } from "./authzen-app.ts";

const CheckRequest = graphql(`
  mutation CheckRequest($input: CheckGatewayInput!) {
    checked: checkGateway(input: $input) {
      check {
        uuid
        status
        reason
        decidedAt
        policies
        policyUuid
      }
    }
  }
`);

/** What is said of a decision: whether the action is allowed, and why. */
export type Decision = { decision: boolean; context?: Record<string, unknown> };

/**
 * Decides on one request.
 *
 * @see https://openid.net/specs/authorization-api-1_0.html#name-access-evaluation-api
 */
export async function evaluate(ctx: Ctx, { text, value }: RequestBody): Promise<Decision> {
  if (!Object.hasOwn(value, "subject")) throw createFieldError("subject", "is required");
  const { context: given } = value;
  if (isObject(given) && Object.hasOwn(given, "approval")) {
    throw createFieldError(
      "context.approval",
      "can't be used here. Send the request to /api/v1/gateway/check",
    );
  }
  const { checked } = await execute(ctx, CheckRequest, {
    input: { requestText: text, autoRequest: false },
  });
  const { check } = checked;
  const context = { evaluation_id: check.uuid, evaluated_at: check.decidedAt, ...explain(check) };
  return { decision: check.status === "ALLOWED", context };
}

/** Why it was decided so, and by which policy for those who may read policies. */
export function explain(check: {
  reason: string;
  policies: readonly string[] | null;
  policyUuid: string | null;
}): Record<string, unknown> {
  const { reason, policies, policyUuid: id } = check;
  const policy = id === null ? {} : { policy: { id, name: policies?.[0] } };
  return { reason: reason.toLowerCase(), ...policy };
}
