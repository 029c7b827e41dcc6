import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { stopState } from "../agents/agent-shape.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

const outstanding = z
  .strictObject({
    id: uuid,
    name: z.string(),
    kind: z.enum(["software", "robot"]),
    state: stopState,
    last_seen_at: dateTime.nullable(),
  })
  .openapi("OutstandingAgent");

const stage = z
  .strictObject({
    id: uuid,
    at: dateTime,
    by: actor,
    reason: z.string(),
    count: z.int().openapi({ description: "The agents that it resumed." }),
    labels: z.record(z.string(), z.string()).nullable(),
    percent: z.int().nullable(),
  })
  .openapi("StopStage", {
    description:
      "How agents were resumed: those with labels or a percentage, both null for agents that were named. Its id is the batch id of the commands.",
  });

/** A stop. */
export const stop = z
  .strictObject({
    id: uuid,
    scope: z
      .strictObject({
        kind: z.enum(["software", "robot"]).nullable(),
        labels: z.record(z.string(), z.string()),
      })
      .nullable()
      .openapi({ description: "The agents that it is for. Null for all of the workspace." }),
    at: dateTime,
    by: actor,
    reason: z.string(),
    agents: z
      .strictObject({ total: z.int(), confirmed: z.int(), pending: z.int(), unreachable: z.int() })
      .openapi({ description: "Agents covered by the stop that are neither archived nor resumed." }),
    outstanding: z.array(outstanding).openapi({
      description:
        "Agents that have not confirmed, at most 100: robots first, then unreachable ones. `pending` and `unreachable` give the full numbers.",
    }),
    stages: z.array(stage),
    released_at: dateTime.nullable(),
  })
  .openapi("Stop", { description: "Who stopped agents, when and why, and who has confirmed it." });

/** What REST shows of a stop. */
export const StopFields = graphql(
  `
    fragment StopFields on Stop {
      id: uuid
      scope {
        kind
        labels
      }
      at
      by {
        ...ActorFields
      }
      reason
      agents {
        total
        confirmed
        pending
        unreachable
      }
      outstanding(first: 100) {
        agent {
          id: uuid
          name
        }
        kind
        state
        last_seen_at: lastSeenAt
      }
      stages {
        id: uuid
        at
        by {
          ...ActorFields
        }
        reason
        count
        labels
        percent
      }
      released_at: releasedAt
    }
  `,
  [ActorFields],
);

type StopResult = ResultOf<typeof StopFields>;

/** Shapes a stop. */
export function stopJson(row: StopResult): z.input<typeof stop> {
  return {
    ...row,
    scope: row.scope && {
      kind: row.scope.kind && toWireEnum(row.scope.kind),
      labels: toLabels(row.scope.labels),
    },
    by: actorJson(row.by),
    outstanding: row.outstanding.flatMap(outstandingJson),
    stages: row.stages.map(({ by, labels, ...rest }) => ({
      ...rest,
      by: actorJson(by),
      labels: labels === null ? null : toLabels(labels),
    })),
  };
}

/** Labels were validated when they were stored. */
function toLabels(json: unknown): Record<string, string> {
  return json as Record<string, string>;
}

function outstandingJson({ agent, kind, state, ...rest }: StopResult["outstanding"][number]) {
  // Callers who may not read agents get no names, and so no list.
  return agent === null ? [] : [{ ...agent, ...rest, kind: toWireEnum(kind), state: toWireEnum(state) }];
}
