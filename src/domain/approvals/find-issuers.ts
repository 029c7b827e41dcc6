import { type AccessRequest, getTaskId } from "../gateway-checks/parse-request.ts";
import type { Transaction } from "../kernel/context.ts";
import { findNamedPeople } from "./find-named-people.ts";
import { type Asked, findPeopleOfWork } from "./find-people-of-work.ts";

/**
 * Finds who doesn't decide about a question: the people whose work it is at the moment, and those for whom it is asked.
 *
 * @throws {DomainError} as {@link findPeopleOfWork}.
 */
export async function findIssuers(tx: Transaction, asked: Asked): Promise<string[]> {
  const ofWork = await findPeopleOfWork(tx, asked);
  return [...new Set([...ofWork, ...(await findNamedPeople(tx, asked.subject))])];
}

/** What people are asked about by a request of this agent, null for a person. */
export function toAsked(asked: AccessRequest, agentId: string | null): Asked {
  return { agentId, taskId: getTaskId(asked), subject: asked.subject ?? null };
}
