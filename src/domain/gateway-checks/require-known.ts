import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import type { GateState } from "./gate-state.ts";
import { type AccessRequest, getTaskId } from "./parse-request.ts";
import { findAgent } from "./resolve-entities.ts";

/**
 * Requires that the caller may ask for the request's subject, and that its task exists.
 *
 * @throws {DomainError} insufficient_scope for another subject without `gateway:delegate`; validation_failed.
 */
export function requireKnown(
  ctx: Ctx,
  asked: AccessRequest,
  { state, callerId }: { state: GateState; callerId: string },
): void {
  const { subject } = asked;
  const isCaller = subject === undefined || findAgent(state.agents, subject)?.id === callerId;
  if (!isCaller) requireScope(ctx, "gateway:delegate");
  const taskId = getTaskId(asked);
  if (taskId === null || state.taskIds.includes(taskId)) return;
  throw createFieldError("request.context.task_id", "is not a task of this workspace");
}
