import { toVisibleText } from "../../ui/to-visible-text.ts";

/** Who asked for something. Without an agent, a person, who is the subject. */
export type Asking = {
  agentUuid: string | null;
  agent: { name: string } | null;
  subject: unknown;
};

/** The name of the agent that asked, or of the person as it was then. */
export function getAskerName({ agentUuid, agent, subject }: Asking): string {
  if (agentUuid !== null) return agent?.name ?? "Unnamed agent";
  const name = typeof subject === "object" && subject !== null && "name" in subject ? subject.name : null;
  return typeof name === "string" ? toVisibleText(name) : "A person";
}
