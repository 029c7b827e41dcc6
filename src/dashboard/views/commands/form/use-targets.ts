import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { toGlobalId, isUuid } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { parseLabels } from "../../../data/parse-labels.ts";
import type { CommandOrder } from "./order.ts";

const TargetFields = graphql(`
  fragment TargetFields on Agent {
    id
    uuid
    name
    presence
    controlState
    capabilities
  }
`);

const OneTarget = graphql(
  `
    query OneTarget($id: ID!) {
      agent(id: $id) {
        ...TargetFields
      }
    }
  `,
  [TargetFields],
);

const ManyTargets = graphql(
  `
    query ManyTargets($filter: AgentFilter!) {
      agents(first: 100, filter: $filter) {
        totalCount
        nodes {
          ...TargetFields
        }
      }
    }
  `,
  [TargetFields],
);

/** An agent that would receive the command. */
export type CommandTarget = ResultOf<typeof TargetFields>;

/** The agents that would receive the command. */
export type Targets = {
  /** The first hundred. */
  agents: readonly CommandTarget[];
  total: number;
};

const FRESH = { types: ["agent.*"], everyMs: 15_000 };
const NOBODY: Targets = { agents: [], total: 0 };

/** Loads the matching agents and their presence. Null until loaded, or if no agent is chosen. */
export function useTargets({ to, agent, kind, labels }: CommandOrder): Targets | null {
  const isOne = to === "one" && isUuid(agent);
  const named = parseLabels(labels);
  const isMany = to === "many" && named !== null && (kind !== "" || Object.keys(named).length > 0);
  const one = useLiveQuery(OneTarget, { id: toGlobalId("Agent", agent) }, { ...FRESH, isPaused: !isOne });
  const many = useLiveQuery(
    ManyTargets,
    { filter: { archived: false, kind: parseKind(kind), labels: named } },
    { ...FRESH, isPaused: !isMany },
  );
  if (isOne && one.problem !== null) return NOBODY;
  if (isOne && one.data !== null) return { agents: [one.data.agent], total: 1 };
  if (!isMany || many.data === null) return null;
  return { agents: many.data.agents.nodes, total: many.data.agents.totalCount ?? 0 };
}

/** Parses the kind. Null for any. */
export function parseKind(kind: string): "ROBOT" | "SOFTWARE" | null {
  return kind === "ROBOT" || kind === "SOFTWARE" ? kind : null;
}
