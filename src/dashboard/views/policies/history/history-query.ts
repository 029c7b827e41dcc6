import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";

/** A policy's rule now, and as it was. */
export const PolicyHistory = graphql(`
  query PolicyHistory($id: ID!) {
    policyVersions(id: $id, first: 50) {
      generation
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
      changedBy {
        name
      }
      changedAt
    }
  }
`);

export type ShownVersion = ResultOf<typeof PolicyHistory>["policyVersions"][number];
