import { redactText } from "../kernel/redact.ts";

/** By what requests name a subject or resource. */
export type EntityName = { type: string; id: string };

/** The type of people of the workspace. Its properties are the role and the name that the person had. */
export const MEMBER = "member";

/** Types by which callers mean an agent. */
const AGENT_TYPES: ReadonlySet<string> = new Set(["agent", "robot", "identity"]);

/** Whether an entity of this type is an agent. An `identity` that is none may be something else. */
export function isAgentType(type: string): boolean {
  return AGENT_TYPES.has(type);
}

/** How a subject is named in rows: a person also by the name of then. Without secrets. */
export function nameSubject({ type, id, properties }: EntityName & { properties: Record<string, unknown> }) {
  const { name } = properties;
  const isNamed = type === MEMBER && typeof name === "string";
  return { type, id: redactText(id), ...(isNamed && { name: redactText(name) }) };
}

export function isEmpty(properties: object): boolean {
  return Object.keys(properties).length === 0;
}
