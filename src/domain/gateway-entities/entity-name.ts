import { text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isAgentType } from "../gateway-checks/entity-name.ts";
import { entityType } from "../policies/policy-rule.ts";

/** Types of what is known without an entity. An `identity` may be an agent or an entity. */
function isOwnType(type: string): boolean {
  return type === "member" || (isAgentType(type) && type !== "identity");
}

/** By what requests name an entity: the type and id of a subject or resource. */
export const entityName = {
  type: entityType.refine((type) => !isOwnType(type), "can't be agent, robot or member: those are known"),
  entityId: text(LIMITS.entityName),
};
