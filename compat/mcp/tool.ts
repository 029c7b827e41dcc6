import { z } from "zod";
import { createValidationError, fieldErrors } from "../../src/domain/kernel/field-errors.ts";
import { requireScope } from "../../src/domain/kernel/guard.ts";
import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import type { Call } from "./call.ts";
import type { Result } from "./method.ts";
import { type DeferredCall, takesDeferredCalls, toTask } from "./deferred-call.ts";
import { isOfCredential, toToolError } from "./tool-error.ts";
import { toToolResult } from "./tool-result.ts";

/** A tool that models call. */
export type Tool = {
  name: string;
  /** It is listed for credentials with all of these. */
  scopes: readonly Scope[];
  /** As the list of tools shows it. */
  definition: object;
  /** How long it waits unless `wait_s` says something else. */
  usualWaitSeconds: number;
  /** Whether its answer can come later, for clients that ask for it. */
  isDeferrable: boolean;
  run: (call: Call, given: object) => Promise<Result>;
};

/** Hints for the user who is asked whether a model may call a tool. None of ours destroys anything. */
const HINTS = {
  reads: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  asks: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  repeatable: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  writes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
} as const;

type ToolPlan<Input extends z.ZodObject, Output extends z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  scopes: readonly Scope[];
  /** Whether it changes anything, whether a second call changes more, and whether it reaches people. */
  effect: keyof typeof HINTS;
  input: Input;
  output: Output;
  usualWaitSeconds?: number;
  run: (call: Call, given: z.output<Input>) => Promise<z.output<Output>>;
  /** Does the same without waiting. For tools that wait for people. */
  defer?: (call: Call, given: z.output<Input>) => Promise<DeferredCall>;
};

/** Creates a tool. What goes wrong is an answer too, which the model can read and mend. */
export function createTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  name,
  title,
  description,
  scopes,
  effect,
  input,
  output,
  usualWaitSeconds = 0,
  run,
  defer,
}: ToolPlan<Input, Output>): Tool {
  const definition = {
    name,
    title,
    description,
    inputSchema: toJsonSchema(input, "input"),
    outputSchema: toJsonSchema(output, "output"),
    annotations: { title, ...HINTS[effect] },
  };
  return {
    name,
    scopes,
    definition,
    usualWaitSeconds,
    isDeferrable: defer !== undefined,
    run: async (call, given) => {
      try {
        for (const scope of scopes) requireScope(call.ctx, scope);
        const parsed = parse(input, given);
        if (defer === undefined || !takesDeferredCalls(call.era))
          return toToolResult(await run(call, parsed));
        return toResult(await defer(call, parsed));
      } catch (error) {
        const known = toDomainError(error);
        if (known === null || isOfCredential(known)) throw error;
        return toToolError(known);
      }
    },
  };
}

function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): object {
  return z.toJSONSchema(schema, { target: "draft-2020-12", io, unrepresentable: "any" });
}

/** What nobody has to wait for is answered at once. */
function toResult(deferred: DeferredCall): Result {
  if (deferred.status !== "working") return deferred.result;
  return { resultType: "task", ...toTask(deferred) };
}

/** @throws {DomainError} validation_failed; unknown_field. */
function parse<Input extends z.ZodObject>(shape: Input, given: object): z.output<Input> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw createValidationError(fieldErrors(parsed.error));
}
