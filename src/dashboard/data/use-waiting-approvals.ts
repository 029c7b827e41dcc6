import type { ResultOf } from "gql.tada";
import { graphql } from "./graphql.ts";
import { type LiveQuery, useLiveQuery } from "./use-live-query.ts";

const WaitingApprovals = graphql(`
  query WaitingApprovals {
    approvals(last: 3, filter: { status: PENDING }) {
      totalCount
      nodes {
        id
        uuid
        action
        resourceId
        resourceAgent {
          id
          name
        }
        agentUuid
        agent {
          id
          name
        }
        subject
        missionUuid
        missionTitle
        createdAt
        expiresAt
      }
    }
  }
`);

type Data = ResultOf<typeof WaitingApprovals>;

/** Many may be asked at once; a count needs no more than this. */
const FRESHNESS = { types: ["approval.*"], apartMs: 2000 };

/** How many approvals wait for people, and the three that wait longest, the newest of them first. */
export function useWaitingApprovals(): LiveQuery<Data> {
  return useLiveQuery(WaitingApprovals, {}, FRESHNESS);
}
