import type { Message } from "../../db/generated/client.ts";
import type { ActorRecord } from "../actor.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";

/**
 * Holds that the caller may answer a question. People may answer any. An agent may answer what another asks of
 * it or of everybody; never what it asked itself, or nobody would have supervised the task that waits for it.
 *
 * @throws {DomainError} forbidden.
 */
export function requireMayAnswer({ actor }: Ctx, { sender, recipientAgentId }: Message): void {
  if (actor.type !== "agent") return;
  // Written by recordOf().
  const { type, id } = sender as ActorRecord;
  if (type === "agent" && id === actor.id) {
    throw new DomainError("forbidden", "An agent can't answer its own question.");
  }
  if (recipientAgentId !== null && recipientAgentId !== actor.id) {
    throw new DomainError("forbidden", "The question was put to another agent.");
  }
}
