import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { anyJson, dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

export const controlState = z
  .enum(["active", "paused", "stopped"])
  .openapi({ description: "Whether the agent may work. `stopped` for all agents during an emergency stop." });

export const stopState = z.enum(["confirmed", "pending", "unreachable"]).openapi({
  description:
    "Of an emergency stop. `confirmed`: it acknowledged every command of the stop, and none failed since. `unreachable`: it has not, and was not seen for a minute or one of the commands ended otherwise: expired, rejected, failed, timed out, canceled. `pending`: it is online, and its confirmation is waited for.",
});

/** An agent in the REST API. */
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
    stop_state: stopState.nullable(),
    presence: z.enum(["online", "stale", "offline"]),
    last_seen_at: dateTime.nullable().openapi({ description: "Accurate to 30 seconds." }),
    archived_at: dateTime.nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("Agent");

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
    stop_state: stopState
    presence
    last_seen_at: lastSeenAt
    archived_at: archivedAt
    generation
    created_at: createdAt
    updated_at: updatedAt
  }
`);

/** Converts an agent to the REST shape. */
export function agentJson(row: ResultOf<typeof AgentFields>) {
  const { kind, control_state: state, stop_state: stop, presence } = row;
  return {
    ...row,
    kind: toWireEnum(kind),
    control_state: toWireEnum(state),
    stop_state: stop && toWireEnum(stop),
    presence: toWireEnum(presence),
  };
}
