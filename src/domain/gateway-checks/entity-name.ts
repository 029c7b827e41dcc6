/** By what requests name a subject or resource. */
export type EntityName = { type: string; id: string };

/** Types by which callers mean an agent. */
const AGENT_TYPES: ReadonlySet<string> = new Set(["agent", "robot", "identity"]);

/** Whether an entity of this type is an agent. An `identity` that is none may be something else. */
export function isAgentType(type: string): boolean {
  return AGENT_TYPES.has(type);
}

export function isEmpty(properties: object): boolean {
  return Object.keys(properties).length === 0;
}
