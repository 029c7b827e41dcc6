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

export const EFFECTS = ["ALLOW", "ASK", "DENY"] as const;
export const MODES = ["ENFORCE", "MONITOR"] as const;
