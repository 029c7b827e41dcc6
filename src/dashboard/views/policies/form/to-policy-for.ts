import { isUuid } from "../../../data/global-id.ts";
import type { ShownDecision } from "../../decisions/page/decision-query.ts";
import { EMPTY_POLICY, type TypedEntity, type TypedPolicy, createEntity } from "./typed-policy.ts";

/** The longest name of a policy. */
const NAME_LENGTH = 64;

/** A policy about requests like a decided one: of this agent, this action, on this resource. It asks. */
export function toPolicyFor(decision: ShownDecision): TypedPolicy {
  const { action, resourceType, resourceId, agent, subject } = decision;
  return {
    ...EMPTY_POLICY,
    name: resourceId.slice(0, NAME_LENGTH).trim(),
    actions: [{ id: 1, name: escapeGlob(action) }],
    // Policies name agents by their handles.
    resources: [
      {
        ...createEntity([], resourceType),
        name: resourceType === "agent" && isUuid(resourceId) ? "" : escapeGlob(resourceId),
      },
    ],
    subjects: toSubjects(agent?.handle ?? null, subject),
  };
}

/** Another subject than the agent that asked is left to the user: everybody. */
function toSubjects(handle: string | null, subject: unknown): TypedEntity[] {
  return handle === null || subject !== null
    ? []
    : [{ ...createEntity([], "agent"), name: escapeGlob(handle) }];
}

/** A glob that matches only this text. */
function escapeGlob(text: string): string {
  return text.replaceAll("*", String.raw`\*`);
}
