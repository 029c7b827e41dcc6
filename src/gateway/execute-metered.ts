import type { ExecutionArgs, ExecutionResult } from "graphql";
import { meteredDefault, startMeter } from "../schema/meter.ts";
import { createInvalidRequestError } from "./limits.ts";

/** Executes an operation within the limits of an answer. Above a limit, returns only an error. */
export async function executeMetered(
  args: ExecutionArgs,
  execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  // Every operation's context is a Ctx.
  const meter = startMeter(args.contextValue as object);
  const result = await execute({ ...args, fieldResolver: meteredDefault });
  const passed = meter.passed();
  return passed === null
    ? result
    : { errors: [createInvalidRequestError(`The answer has ${passed}. Select less.`)] };
}
