import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../src/schema/graphql.ts";
import { anyJson, dateTime, lower, uuid } from "./shapes.ts";

/** What operators let an agent do, on the wire. */
export const controlState = z.enum(["active", "paused", "stopped"]);

/** An agent on the wire. */
export const agent = z
  .strictObject({
    id: uuid,
    handle: z.string(),
    name: z.string(),
    kind: z.enum(["software", "robot"]),
    version: z.string().nullable(),
    description: z.string().nullable(),
    capabilities: anyJson,
    labels: anyJson,
    control_state: controlState,
    presence: z.enum(["online", "stale", "offline"]),
    last_seen_at: dateTime.nullable().openapi({ description: "To half a minute." }),
    archived_at: dateTime.nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("Agent");

/** What of an agent is asked for. */
export const AgentFields = graphql(`
  fragment AgentFields on Agent {
    id: uuid
    handle
    name
    kind
    version
    description
    capabilities
    labels
    control_state: controlState
    presence
    last_seen_at: lastSeenAt
    archived_at: archivedAt
    generation
    created_at: createdAt
    updated_at: updatedAt
  }
`);

/** An agent as the wire spells it. */
export function agentJson(row: ResultOf<typeof AgentFields>) {
  const { kind, control_state: state, presence } = row;
  return { ...row, kind: lower(kind), control_state: lower(state), presence: lower(presence) };
}
