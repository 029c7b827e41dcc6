import { PROTOCOL_VERSION } from "./protocol.ts";

/** What is offered, as the protocol describes it. */
export type Skill = { id: string; name: string; description: string; tags: string[] };

const TASKS: Skill = {
  id: "tasks",
  name: "Tasks",
  description:
    "Takes a message as a task for the agents of a workspace. Needs an access token with the scopes tasks:read and " +
    "tasks:write. The extended card names the queues.",
  tags: ["tasks", "queues"],
};

const MODES = ["text/plain", "application/json", "application/octet-stream"];

/**
 * Builds a card.
 *
 * @param skills default: what all callers may know.
 * @see https://a2a-protocol.org/latest/specification/#441-agentcard
 */
export function createAgentCard(baseUrl: string, skills: readonly Skill[] = [TASKS]): object {
  return {
    name: "Agent Ops",
    description:
      "Queues of tasks for machine agents, and the people who supervise them. A message becomes a task; who works on it " +
      "may ask something, and its output comes as artifacts.",
    supportedInterfaces: [
      { url: `${baseUrl}/a2a`, protocolBinding: "JSONRPC", protocolVersion: PROTOCOL_VERSION },
      { url: `${baseUrl}/a2a/v1`, protocolBinding: "HTTP+JSON", protocolVersion: PROTOCOL_VERSION },
    ],
    version: "0.1.0",
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: {
          scheme: "Bearer",
          description: "An agent's access token: agt_…, or agk_….",
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills,
  };
}
