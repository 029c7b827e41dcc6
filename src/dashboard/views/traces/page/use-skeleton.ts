import type { ResultOf } from "gql.tada";
import { useEffect, useMemo, useState } from "react";
import { type Client, type OperationResult, useClient } from "urql";
import { type Refetcher, createRefetcher } from "../../../data/live/refetcher.ts";
import { type UserProblem, toProblem } from "../../../data/problem.ts";
import { type SpanTree, buildTree } from "../tree/build-tree.ts";
import { type SpanColumns, joinPages, mergeSpans } from "../tree/span-columns.ts";
import { type ShownTrace, SkeletonQuery, type TraceSpansFrame } from "./trace-query.ts";

/** All spans of a trace, or how many of them are loaded. */
export type LoadedSpans = { tree: SpanTree | null; loaded: number; problem: UserProblem | null };

/** The least time between two trees, and of many spans. */
const APART_MS = { few: 500, many: 2000 };
const MANY = 10_000;

/** Loads the spans of a trace, adds those that come, and loads all again when spans were lost. */
export function useSkeleton({
  traceId,
  lost,
  spanCount,
}: Pick<ShownTrace, "traceId" | "lost" | "spanCount">) {
  const client = useClient();
  const [state, setState] = useState<LoadedSpans>({ tree: null, loaded: 0, problem: null });
  const apartMs = spanCount > MANY ? APART_MS.many : APART_MS.few;
  const { load, see, take, read } = useMemo(() => createKeeper(client, traceId), [client, traceId]);
  const refetcher = useMemo(
    () =>
      createRefetcher(() => read((changes) => setState((known) => ({ ...known, ...changes }))), {
        apartMs: apartMs,
      }),
    [read, apartMs],
  );
  useEffect(() => refetcher.start(), [refetcher]);
  useEffect(() => {
    see(lost);
    refetcher.ask();
  }, [see, refetcher, lost]);
  return { ...state, take: ask(refetcher, take), refresh: ask(refetcher, load) };
}

function ask<Input extends unknown[]>(refetcher: Refetcher, act: (...input: Input) => void) {
  return (...input: Input) => {
    act(...input);
    refetcher.ask();
  };
}

/** The spans of a trace as they are known. */
type Keeper = {
  /** All are to be loaded. */
  load: () => void;
  /** Whether some are lost. If that changes, all are to be loaded. */
  see: (lost: boolean) => void;
  /** Some have come. */
  take: (frame: TraceSpansFrame) => void;
  /** Loads what is to be loaded, adds what has come, also meanwhile, and builds the tree. */
  read: (tell: (changes: Partial<LoadedSpans>) => void) => Promise<void>;
};

function createKeeper(client: Client, traceId: string): Keeper {
  let known: Loaded | null = null;
  let isWhole = false;
  let hasLost: boolean | null = null;
  let later: TraceSpansFrame[] = [];

  async function read(tell: (changes: Partial<LoadedSpans>) => void): Promise<void> {
    if (known === null || !isWhole) {
      [isWhole, later] = [true, []];
      known = await loadSpans(client, traceId, tell);
      if (known === null) return;
    }
    const added = later.splice(0);
    if (added.some(({ startedAt }) => startedAt !== known?.startedAt)) isWhole = false;
    else
      known.spans = mergeSpans(
        known.spans,
        added.map(({ spans }) => spans).filter((one) => one !== null),
      );
    tell({ tree: buildTree(known.spans), problem: null });
    if (!isWhole) await read(tell);
  }

  return {
    load: () => {
      isWhole = false;
    },
    see: (lost) => {
      if (lost !== hasLost) isWhole = false;
      hasLost = lost;
    },
    take: (frame) => {
      if (frame.spans === null) isWhole = false;
      else later.push(frame);
    },
    read,
  };
}

/** All spans of a trace that started then. */
type Loaded = { startedAt: string; spans: SpanColumns };

/** A part of a tree would have parents that are missing only as yet, so it is built when all pages are there. */
async function loadSpans(
  client: Client,
  traceId: string,
  tell: (changes: Partial<LoadedSpans>) => void,
): Promise<Loaded | null> {
  const pages: SpanColumns[] = [];
  let startedAt: string | null = null;
  let after: string | null = null;
  do {
    const { data, error }: OperationResult<ResultOf<typeof SkeletonQuery>> = await client
      .query(SkeletonQuery, { traceId, after }, { requestPolicy: "network-only" })
      .toPromise();
    if (data === undefined) {
      tell({ problem: error === undefined ? null : toProblem(error) });
      return null;
    }
    pages.push(data.trace.skeleton);
    startedAt ??= data.trace.startedAt;
    after = data.trace.skeleton.next;
    tell({ loaded: pages.reduce((sum, { id }) => sum + id.length, 0) });
  } while (after !== null);
  return { startedAt, spans: joinPages(pages) };
}
