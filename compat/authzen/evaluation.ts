import type { Context } from "hono";
import { createFieldError } from "../../src/domain/kernel/errors.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { AuthzenEnv, RequestBody } from "./authzen-app.ts";
import { honourRequestId } from "./honour-idempotency-key.ts";
import { describeReevaluation } from "./reevaluation.ts";

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
        requestableUntil
        approval {
          id: uuid
          approved_until: approvedUntil
        }
        execution {
          id: uuid
          fence
          lease_expires_at: leaseExpiresAt
        }
        reservation {
          id: uuid
          expires_at: expiresAt
        }
      }
    }
  }
`);

/** What is said of a decision: whether the action is allowed, and why. */
export type Decision = { decision: boolean; context?: Record<string, unknown> };

/**
 * Decides on one request. With an approval in its context, uses that.
 *
 * @see https://openid.net/specs/authorization-api-1_0.html#name-access-evaluation-api
 */
export async function evaluate(c: Context<AuthzenEnv>, body: RequestBody): Promise<Decision> {
  const { text, value } = body;
  if (!Object.hasOwn(value, "subject")) throw createFieldError("subject", "is required");
  const { context: given } = value;
  const isReevaluation = isObject(given) && (given["approval"] ?? null) !== null;
  if (isReevaluation) honourRequestId(c, body);
  const { checked } = await execute(c.get("ctx"), CheckRequest, {
    input: { requestText: text, autoRequest: false, reevaluates: true },
  });
  const { check } = checked;
  const { uuid, decidedAt, status, requestableUntil, approval, execution, reservation } = check;
  const isAllowed = status === "ALLOWED";
  const context = {
    evaluation_id: uuid,
    evaluated_at: decidedAt,
    ...explain(check),
    ...(isReevaluation && !isAllowed && describeReevaluation(check)),
    ...(requestableUntil !== null && { access_request: toAccessRequest(check.policyUuid, requestableUntil) }),
    ...(execution !== null && { approval, execution }),
    ...(reservation !== null && { reservation }),
  };
  return { decision: isAllowed, context };
}

function toAccessRequest(template: string | null, expiresAt: string): object {
  return { ...(template !== null && { template }), expires_at: expiresAt };
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
