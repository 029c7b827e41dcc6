import { commandType } from "../agent-commands/command-types.ts";
import type { EvaluationRequest } from "../policies/evaluation-request.ts";
import { type Role, ROLES } from "../kernel/scopes.ts";
import { type EntityName, MEMBER, isAgentType, isEmpty } from "./entity-name.ts";
import type { GateAgent, GateEntity, GateState } from "./gate-state.ts";
import type { AccessRequest } from "./parse-request.ts";

/** The action of creating a mission for a robot. */
export const CREATE_MISSION = "mission.create";

/**
 * Finds the agents that a request names, by id or handle, and the stored properties of other entities that it
 * gives none for. An agent that does not exist is an entity that no policy for agents means.
 */
export function resolveEntities(
  { subject, action, resource, context }: AccessRequest,
  { agents, entities }: Pick<GateState, "agents" | "entities">,
  callerId: string | null,
): EvaluationRequest {
  const { type, id, properties } = subject ?? { type: "agent", id: callerId ?? "", properties: {} };
  const actor = findActive(agents, { type, id });
  const target = findActive(agents, resource);
  return {
    subject: {
      type: actor === null ? type : "agent",
      id: actor?.id ?? id,
      agent: actor,
      role: type === MEMBER ? findRole(properties) : null,
      properties: actor === null ? findProperties(entities, { type, id, properties }) : properties,
    },
    action: { ...action, isCommand: target !== null && isCommand(action.name) },
    resource: {
      type: target === null ? resource.type : "agent",
      id: resource.id,
      agent: target,
      properties: target === null ? findProperties(entities, resource) : resource.properties,
    },
    context,
  };
}

/** The role of a person. No caller names people: what is here was written by us. */
function findRole({ role }: Record<string, unknown>): Role | null {
  return ROLES.find((one) => one === role) ?? null;
}

/** Finds the agent that an entity is, by its id or handle, also if it is archived. Null for what is no agent. */
export function findAgent(agents: readonly GateAgent[], { type, id }: EntityName): GateAgent | null {
  if (!isAgentType(type)) return null;
  const uuid = id.toLowerCase();
  // An agent's handle may be the id of another one: ids come first.
  return agents.find((one) => one.id === uuid) ?? agents.find(({ handle }) => handle === id) ?? null;
}

function findActive(agents: readonly GateAgent[], name: EntityName): GateAgent | null {
  const agent = findAgent(agents, name);
  return agent?.isArchived === true ? null : agent;
}

function findProperties(entities: readonly GateEntity[], given: GateEntity): Record<string, unknown> {
  return isEmpty(given.properties)
    ? (findEntity(entities, given)?.properties ?? given.properties)
    : given.properties;
}

/** Finds what is known of an entity that is no agent. */
export function findEntity(entities: readonly GateEntity[], { type, id }: EntityName): GateEntity | null {
  return entities.find((entity) => entity.type === type && entity.id === id) ?? null;
}

/** Whether an action is a command, if it is to an agent. */
export function isCommand(action: string): boolean {
  return action === CREATE_MISSION || commandType.safeParse(action).success;
}
