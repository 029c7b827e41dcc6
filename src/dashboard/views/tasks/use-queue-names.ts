import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";

const Queues = graphql(`
  query Queues {
    overview(window: LAST_DAY) {
      tasks {
        queues {
          name
        }
      }
    }
  }
`);

/** The names of the longest queues. Empty until loaded. */
export function useQueueNames(): string[] {
  const { data } = useLiveQuery(Queues, {}, { types: ["task.created"], apartMs: 10_000 });
  return data?.overview.tasks.queues.map(({ name }) => name).toSorted() ?? [];
}
