import type { Context } from "hono";
import { chargeRequests } from "../../src/auth/charge-requests.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { ERRORS, type ErrorCode, createFieldError } from "../../src/domain/kernel/errors.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import { toAuthzenError } from "./answer-error.ts";
import type { AuthzenEnv, RequestBody } from "./authzen-app.ts";
import { type Decision, evaluate, explain } from "./evaluation.ts";

const CheckBatch = graphql(`
  mutation CheckBatch($input: CheckGatewayBatchInput!) {
    checked: checkGatewayBatch(input: $input) {
      checks {
        check {
          status
          reason
          policies
          policyUuid
        }
        error {
          code
          message
        }
      }
    }
  }
`);

/**
 * Decides on several requests, or on one if there is no list of them.
 *
 * @see https://openid.net/specs/authorization-api-1_0.html#name-access-evaluations-api
 */
export async function evaluateAll(
  c: Context<AuthzenEnv>,
  body: RequestBody,
  rateLimit: RateLimit,
): Promise<Decision | { evaluations: Decision[] }> {
  const ctx = c.get("ctx");
  const { evaluations = [], options } = body.value;
  if (!Array.isArray(evaluations)) throw createFieldError("evaluations", "must be a list");
  if (evaluations.length === 0) return evaluate(c, body);
  await chargeRequests(c, rateLimit, Math.min(evaluations.length, LIMITS.checkedRequests) - 1);
  const isExplained = isObject(options) && options["explain"] === true;
  return { evaluations: await checkAll(ctx, body.text, isExplained) };
}

async function checkAll(ctx: Ctx, requestText: string, isExplained: boolean): Promise<Decision[]> {
  const { checked } = await execute(ctx, CheckBatch, { input: { requestText } });
  return checked.checks.map(({ check, error }) => {
    if (check === null) return { decision: false, context: { error: toItemError(error) } };
    // A question that a person can answer is told apart from a denial. Without ids: equal batches are answered alike.
    if (isExplained || check.reason === "APPROVAL_REQUIRED") {
      return {
        decision: check.status === "ALLOWED",
        context: isExplained ? explain(check) : { reason: "approval_required" },
      };
    }
    return { decision: check.status === "ALLOWED" };
  });
}

function toItemError(error: { code: string; message: string } | null) {
  const code = error?.code.toLowerCase() ?? "";
  const isKnown = Object.hasOwn(ERRORS, code);
  // A name of the table, as was just seen.
  return toAuthzenError({ code: isKnown ? (code as ErrorCode) : "internal", message: error?.message ?? "" });
}
