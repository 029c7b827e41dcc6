import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";

/** A policy's rule and who wrote it. */
export const PolicyFields = graphql(`
  fragment PolicyFields on Policy {
    id
    uuid
    name
    description
    enabled
    mode
    effect
    subjects {
      type
      name
      labels
      kind
      role
    }
    actions
    resources {
      type
      name
      labels
      kind
      server
    }
    when
    approval {
      role
      persons
      ttlSeconds
      validSeconds
      uses
      scope
      edits
    }
    activity {
      hits
      wouldHits
      lastMatchAt
    }
    fromFile
    createdBy {
      name
    }
    updatedBy {
      name
    }
    generation
    createdAt
    updatedAt
  }
`);

export type ShownPolicy = ResultOf<typeof PolicyFields>;

/** A rule as it is stored. */
export type StoredRule = Pick<
  ShownPolicy,
  | ("name" | "description" | "enabled" | "mode" | "effect")
  | ("subjects" | "actions" | "resources" | "when" | "approval")
>;

/** One policy. */
export const PolicyQuery = graphql(
  `
    query PolicyPage($id: ID!) {
      policy(id: $id) {
        ...PolicyFields
      }
    }
  `,
  [PolicyFields],
);

/** When a policy changes. How often it held changes without events. */
export const POLICY_FRESHNESS = { types: ["policy.*"], everyMs: 10_000 };

export const EFFECTS = ["ALLOW", "ASK", "DENY"] as const;
export const MODES = ["ENFORCE", "MONITOR"] as const;
