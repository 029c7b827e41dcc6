import { useEffect, useMemo, useRef, useState } from "react";
import { type Client, useClient } from "urql";
import { createRefetcher } from "../../../data/live/refetcher.ts";
import { type UserProblem, toProblem } from "../../../data/problem.ts";
import type { TraceSkeleton } from "../../../data/trace-skeleton.ts";
import { type SpanTree, buildTree } from "../tree/build-tree.ts";
import { joinPages } from "../tree/span-columns.ts";
import { SkeletonQuery } from "./trace-query.ts";

/** All spans of a trace, or how many of them are loaded. */
export type LoadedSpans = { tree: SpanTree | null; loaded: number; problem: UserProblem | null };

const APART_MS = 3000;

/** Loads the spans of a trace, and again when its generation has changed. */
export function useSkeleton(traceId: string, generation: number): LoadedSpans & { refresh: () => void } {
  const client = useClient();
  const [state, setState] = useState<LoadedSpans>({ tree: null, loaded: 0, problem: null });
  const refetcher = useMemo(
    () =>
      createRefetcher(async () => {
        await loadTree(client, traceId, (changes) => setState((known) => ({ ...known, ...changes })));
      }, APART_MS),
    [client, traceId],
  );
  const asked = useRef<number>(null);
  useEffect(() => refetcher.start(), [refetcher]);
  useEffect(() => {
    if (asked.current === generation) return;
    asked.current = generation;
    refetcher.ask();
  }, [refetcher, generation]);
  return { ...state, refresh: refetcher.ask };
}

/** A part of a tree would have parents that are missing only as yet, so it is built when all pages are there. */
async function loadTree(
  client: Client,
  traceId: string,
  tell: (changes: Partial<LoadedSpans>) => void,
): Promise<void> {
  const pages: TraceSkeleton[] = [];
  let after: string | null = null;
  do {
    const { data, error } = await client
      .query(SkeletonQuery, { traceId, after }, { requestPolicy: "network-only" })
      .toPromise();
    if (data === undefined) {
      tell({ problem: error === undefined ? null : toProblem(error) });
      return;
    }
    pages.push(data.trace.skeleton);
    after = data.trace.skeleton.next;
    tell({ loaded: pages.reduce((sum, { id }) => sum + id.length, 0) });
  } while (after !== null);
  tell({ tree: buildTree(joinPages(pages)), problem: null });
}
