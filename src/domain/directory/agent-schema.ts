import { AgentKind } from "../../db/generated/enums.ts";
import { type Schema, attribute } from "./attribute.ts";

/**
 * The Agent schema, as far as agents here have its attributes.
 *
 * @see https://datatracker.ietf.org/doc/draft-wzdk-scim-agent-resource/
 */
export const AGENT_SCHEMA: Schema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:Agent",
  name: "Agent",
  description: "An agent of the workspace: software, or a robot",
  attributes: [
    attribute("agentUserName", "The agent's handle. A deleted agent's stays in use.", {
      required: true,
      caseExact: true,
      mutability: "immutable",
      uniqueness: "server",
    }),
    attribute("displayName", "The agent's name. Default: its handle."),
    attribute("description", "What the agent is for."),
    attribute("agentType", "Whether it is software or a robot. Default: software.", {
      caseExact: true,
      mutability: "immutable",
      canonicalValues: Object.values(AgentKind),
    }),
    attribute("active", "Whether the agent may work. An inactive agent is archived, without credentials.", {
      type: "boolean",
    }),
  ],
};
