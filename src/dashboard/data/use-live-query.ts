import type { TadaDocumentNode } from "gql.tada";
import { useEffect, useMemo, useState } from "react";
import { type AnyVariables, useClient, useQuery } from "urql";
import { type EventTypes, listen, listenForGaps } from "./live/listeners.ts";
import { createRefetcher } from "./live/refetcher.ts";
import { type UserProblem, toProblem } from "./problem.ts";

const APART_MS = 500;

/** What was read, and how it stands. */
export type LiveQuery<Data> = {
  /** The newest that is known; null before the first answer. While another page is read, the one before. */
  data: Data | null;
  problem: UserProblem | null;
  /** Whether what is shown is not yet what was asked for. */
  isLoading: boolean;
  refresh: () => void;
};

/** How a query is kept fresh. */
export type Freshness = {
  /** The events that change its answer: `task.created`, or `task.*`. */
  types: EventTypes;
  /** Reads again this often beside, for what changes without events. */
  everyMs?: number;
  /** How far apart readings are at least; half a second where it is left out. */
  apartMs?: number;
  /** Reads nothing. */
  isPaused?: boolean;
};

/**
 * Reads a query, and reads it again whenever an event of its types says that the answer is another, not too
 * often and only while somebody looks.
 */
export function useLiveQuery<Data, Variables extends AnyVariables>(
  query: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { types, everyMs, apartMs = APART_MS, isPaused = false }: Freshness,
): LiveQuery<Data> {
  // The type of useQuery's arguments depends on whether there are variables, which is not known here.
  const [result] = useQuery<Data>({
    query,
    variables: variables as Record<string, unknown>,
    pause: isPaused,
  });
  const [last, setLast] = useState<Data | null>(null);
  if (result.data !== undefined && result.data !== last) setLast(result.data);
  const refresh = useRefetching(
    { query, variables, types, everyMs, apartMs, isPaused },
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
  query: TadaDocumentNode<Data, Variables>;
  variables: Variables;
  types: EventTypes;
  everyMs: number | undefined;
  apartMs: number;
  isPaused: boolean;
};

/** @returns what asks for another reading. */
function useRefetching<Data, Variables extends AnyVariables>(
  { query, variables, types, everyMs, apartMs, isPaused }: Watched<Data, Variables>,
  isBusy: boolean,
): () => void {
  const client = useClient();
  const asked = JSON.stringify(variables);
  const refetcher = useMemo(
    () =>
      createRefetcher(async () => {
        // What was written above is read here.
        const given = JSON.parse(asked) as Variables;
        await client.query(query, given, { requestPolicy: "network-only" }).toPromise();
      }, apartMs),
    [client, query, asked, apartMs],
  );
  const key = types.join();
  useEffect(() => refetcher.setBusy(isBusy), [refetcher, isBusy]);
  useEffect(() => {
    if (isPaused) return undefined;
    const ends = [listen(key.split(","), refetcher.ask), listenForGaps(refetcher.ask), refetcher.stop];
    const timer = everyMs === undefined ? undefined : window.setInterval(refetcher.ask, everyMs);
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  }, [refetcher, key, everyMs, isPaused]);
  return refetcher.ask;
}
