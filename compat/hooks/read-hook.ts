import type { Context } from "hono";
import { z } from "zod";
import { DomainError, createFieldError } from "../../src/domain/kernel/errors.ts";
import { createValidationError, fieldErrors } from "../../src/domain/kernel/field-errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { parseStrictJson } from "../../src/domain/kernel/strict-json.ts";
import { decodeUtf8 } from "../../src/http/request-body.ts";
import type { HooksEnv } from "./hooks-app.ts";

/** Two of them, with a space between, are a session key. */
const id = z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 visible characters");

const shape = z.object({
  hook_event_name: z.string(),
  session_id: id,
  tool_use_id: id.nullish(),
  /** Only the strict dialect has turns. */
  turn_id: z.unknown().optional(),
  cwd: z.string().nullish(),
  permission_mode: z.string().nullish(),
  tool_name: z.string().min(1).optional(),
  tool_input: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** What a coding agent says about one use of a tool. */
export type Hook = z.output<typeof shape>;

/** Members around the tool's input. Versions differ, so there is room. */
const OTHER_VALUES = 100;

/**
 * Reads a hook's JSON, of either dialect. Unknown members are ignored.
 *
 * @throws {DomainError} invalid_body; validation_failed.
 */
export async function readHook(c: Context<HooksEnv>): Promise<Hook> {
  const text = decodeUtf8(await c.req.arrayBuffer());
  const parsed = parseStrictJson(text ?? "", {
    maxDepth: LIMITS.requestDepth,
    maxValues: LIMITS.requestValues + OTHER_VALUES,
  });
  if (parsed === null) throw new DomainError("invalid_body", "The hook's body is not valid JSON.");
  if ("problem" in parsed) throw createFieldError(parsed.problem.path, parsed.problem.message);
  const hook = shape.safeParse(parsed.value);
  if (!hook.success) throw createValidationError(fieldErrors(hook.error));
  return hook.data;
}

/** Whether only what its schema has may be answered: no `ask`, and nothing for a tool that may run as it is. */
export function isStrict({ turn_id: turnId }: Hook): boolean {
  return turnId !== undefined && turnId !== null;
}

/** What the agent's session calls this use of the tool. Null where the coding agent has no name for it. */
export function getSessionKey({ session_id: sessionId, tool_use_id: toolUseId }: Hook): string | null {
  return toolUseId === undefined || toolUseId === null ? null : `${sessionId} ${toolUseId}`;
}
