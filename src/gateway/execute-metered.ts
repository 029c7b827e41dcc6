import type { ExecutionArgs, ExecutionResult } from "graphql";
import { meteredDefault, startMeter } from "../schema/meter.ts";
import { createInvalidRequestError } from "./limits.ts";

/** Executes an operation up to what an answer may cost; one that costs more is answered by an error alone. */
export async function executeMetered(
  args: ExecutionArgs,
  execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  // The context of every operation is a Ctx.
  const meter = startMeter(args.contextValue as object);
  const result = await execute({ ...args, fieldResolver: meteredDefault });
  const passed = meter.passed();
  return passed === null
    ? result
    : { errors: [createInvalidRequestError(`The answer has ${passed}: ask for less.`)] };
}
