import { type ExecutionArgs, type ExecutionResult, getOperationAST } from "graphql";
import { credentialId } from "../domain/kernel/actor.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { takeReadBytes } from "../domain/kernel/read-bytes.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { meteredDefault, startMeter } from "../schema/meter.ts";
import { createInvalidRequestError } from "./limits.ts";
import { isOurs } from "./mask-error.ts";

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Executes an operation within the limits of an answer. Above a limit, returns only an error. What was read
 * but not selected is charged to the caller as if it were answered.
 */
export async function executeMetered(
  args: ExecutionArgs,
  execute: Execute,
  { chargeBytes }: Pick<RateLimit, "chargeBytes">,
): Promise<ExecutionResult> {
  // Every operation's context is a Ctx.
  const ctx = args.contextValue as Ctx;
  const meter = startMeter(ctx);
  const operation = getOperationAST(args.document, args.operationName);
  const type = operation?.operation ?? "other";
  const { measures, traceOperation } = ctx.services;
  async function run(): Promise<ExecutionResult> {
    return execute({ ...args, fieldResolver: meteredDefault });
  }
  const result = await (traceOperation === undefined
    ? run()
    : traceOperation({ type, name: operation?.name?.value ?? null }, run));
  const unanswered = takeReadBytes(ctx) - meter.size();
  if (unanswered > 0) chargeBytes(credentialId(ctx.actor) ?? "", unanswered);
  const passed = meter.passed();
  measures.operated(type, passed === null ? findOutcome(result) : "refused");
  return passed === null
    ? result
    : { errors: [createInvalidRequestError(`The answer has ${passed}. Select less.`)] };
}

function findOutcome({ errors = [] }: ExecutionResult): "succeeded" | "refused" | "failed" {
  if (errors.length === 0) return "succeeded";
  return errors.some(isOurs) ? "failed" : "refused";
}
