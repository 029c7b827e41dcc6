import type { TadaDocumentNode } from "gql.tada";
import { useEffect, useMemo, useState } from "react";
import { type AnyVariables, stringifyDocument, useClient, useQuery } from "urql";
import { type EventTypes, listen, listenForGaps } from "./live/listeners.ts";
import { createRefetcher } from "./live/refetcher.ts";
import { isWatched, shareRead, watch } from "./live/shared-reads.ts";
import { type UserProblem, toProblem } from "./problem.ts";

const APART_MS = 500;

/** The result of a query and its state. */
export type LiveQuery<Data> = {
  /** The latest data, or null before the first result. While another page loads, the previous page. */
  data: Data | null;
  problem: UserProblem | null;
  /** Whether the shown data is not yet for the current variables. */
  isLoading: boolean;
  refresh: () => void;
};

/** When to refetch a query. */
export type Freshness = {
  /** Event types that can change the result: `task.created`, or `task.*`. */
  types: EventTypes;
  /** Also refetch at this interval, for changes without events. */
  everyMs?: number;
  /** Minimum time between refetches. Default: half a second. */
  apartMs?: number;
  /** Whether to refetch also while the page isn't visible, such as for a count in its title. */
  isAlsoHidden?: boolean;
  /** Whether to skip the query. */
  isPaused?: boolean;
};

/**
 * Runs a query and refetches it after events of its types. Refetches are rate-limited and happen only while the page
 * is visible.
 */
export function useLiveQuery<Data, Variables extends AnyVariables>(
  query: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { types, everyMs, apartMs = APART_MS, isAlsoHidden = false, isPaused = false }: Freshness,
): LiveQuery<Data> {
  const key = useMemo(() => stringifyDocument(query), [query]) + JSON.stringify(variables);
  // What another component keeps up to date needs no request.
  const requestPolicy = useMemo(() => (isWatched(key) ? "cache-first" : "cache-and-network"), [key]);
  // The type of useQuery's arguments depends on whether there are variables, which is unknown here.
  const [result] = useQuery<Data>({
    query,
    variables: variables as Record<string, unknown>,
    pause: isPaused,
    requestPolicy,
  });
  const [last, setLast] = useState<Data | null>(null);
  if (result.data !== undefined && result.data !== last) setLast(result.data);
  const refresh = useRefetching(
    { key, query, variables, types, everyMs, apartMs, isAlsoHidden, isPaused },
    result.fetching || result.stale,
  );
  return {
    data: result.data ?? last,
    problem: result.error === undefined ? null : toProblem(result.error),
    isLoading: result.fetching,
    refresh,
  };
}

type Watched<Data, Variables> = {
  key: string;
  query: TadaDocumentNode<Data, Variables>;
  variables: Variables;
  types: EventTypes;
  everyMs: number | undefined;
  apartMs: number;
  isAlsoHidden: boolean;
  isPaused: boolean;
};

/** @returns a function that requests a refetch. */
function useRefetching<Data, Variables extends AnyVariables>(
  { key, query, variables, types, everyMs, apartMs, isAlsoHidden, isPaused }: Watched<Data, Variables>,
  isBusy: boolean,
): () => void {
  const client = useClient();
  const asked = JSON.stringify(variables);
  const refetcher = useMemo(
    () =>
      createRefetcher(
        (askedAt) => {
          // Parses what was serialised above.
          const given = JSON.parse(asked) as Variables;
          return shareRead(key, askedAt, () =>
            client.query(query, given, { requestPolicy: "network-only" }).toPromise(),
          );
        },
        { apartMs, isAlsoHidden },
      ),
    [client, key, query, asked, apartMs, isAlsoHidden],
  );
  const listened = types.join();
  useEffect(() => refetcher.setBusy(isBusy), [refetcher, isBusy]);
  useEffect(() => {
    if (isPaused) return undefined;
    const ends = [
      ...[listen(listened.split(","), refetcher.ask), listenForGaps(refetcher.ask)],
      ...[refetcher.start(), watch(key)],
    ];
    const timer = everyMs === undefined ? undefined : window.setInterval(refetcher.ask, everyMs);
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  }, [refetcher, key, listened, everyMs, isPaused]);
  return refetcher.ask;
}
