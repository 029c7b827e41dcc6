import type { Context } from "hono";
import { createFieldError } from "../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { answerNothing } from "./hook-answer.ts";
import type { HooksEnv } from "./hooks-app.ts";
import { type Hook, getSessionKey, readHook } from "./read-hook.ts";

const EndToolUse = graphql(`
  mutation EndToolUse($input: EndSessionExecutionInput!) {
    endSessionExecution(input: $input) {
      clientMutationId
    }
  }
`);

/**
 * Ends the execution of a tool that has run, if people approved it. What the tool returned is not stored.
 *
 * @throws {DomainError} for whatever can't be recorded, which changes nothing for the coding agent.
 */
export async function endToolUse(c: Context<HooksEnv>): Promise<Response> {
  const hook = await readHook(c);
  const sessionKey = getSessionKey(hook);
  const error = findError(hook);
  if (sessionKey !== null) {
    // The tool ran, so that a failed one may have done something.
    const outcome = error === null ? {} : { error: { message: error }, effect: "PARTIAL" as const };
    await execute(c.get("ctx"), EndToolUse, { input: { sessionKey, ...outcome } });
  }
  return answerNothing(c);
}

/** @throws {DomainError} validation_failed for another event. */
function findError({ hook_event_name: event, error }: Hook): string | null {
  if (event === "PostToolUse") return null;
  if (event !== "PostToolUseFailure") {
    throw createFieldError("hook_event_name", "must be PostToolUse or PostToolUseFailure here");
  }
  const text = typeof error === "string" ? error.slice(0, LIMITS.textLength) : "";
  const storable = text.replaceAll("\0", "").toWellFormed();
  return storable === "" ? "The tool failed." : storable;
}
