import { commandType } from "../agent-commands/command-types.ts";
import type { EvaluationRequest } from "../policies/evaluation-request.ts";
import type { GateAgent } from "./gate-state.ts";
import type { AccessRequest } from "./parse-request.ts";

/** Types by which callers mean an agent. */
const AGENT_TYPES: ReadonlySet<string> = new Set(["agent", "robot", "identity"]);

type EntityName = { type: string; id: string };

/** The action of creating a mission for a robot. */
const CREATE_MISSION = "mission.create";

/** Whether an entity of this type is an agent, if it exists. */
export function isAgentType(type: string): boolean {
  return AGENT_TYPES.has(type);
}

/**
 * Finds the agents that a request names, by id or handle. An agent that does not exist is an entity that no
 * policy for agents means.
 */
export function resolveEntities(
  { subject, action, resource, context }: AccessRequest,
  agents: readonly GateAgent[],
  callerId: string,
): EvaluationRequest {
  const { type, id, properties } = subject ?? { type: "agent", id: callerId, properties: {} };
  const actor = findActive(agents, { type, id });
  const target = findActive(agents, resource);
  return {
    subject: {
      type: actor === null ? type : "agent",
      id: actor?.id ?? id,
      agent: actor,
      role: null,
      properties,
    },
    action: { ...action, isCommand: target !== null && isCommand(action.name) },
    resource: { ...resource, type: target === null ? resource.type : "agent", agent: target },
    context,
  };
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

function isCommand(action: string): boolean {
  return action === CREATE_MISSION || commandType.safeParse(action).success;
}
