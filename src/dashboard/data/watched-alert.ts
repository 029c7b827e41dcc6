import { graphql } from "./graphql.ts";

/** What a rule watches, and its last value. */
export const WatchedAlert = graphql(`
  fragment WatchedAlert on AlertRule {
    id
    uuid
    name
    metric
    agentUuid
    agent {
      id
      name
    }
    label
    labelValue
    queue
    windowSeconds
    threshold
    value
    stateSince
  }
`);
