import type { Ctx } from "../../kernel/context.ts";
import type { ListFilter } from "../../kernel/page.ts";
import { countReadBytes } from "../../kernel/read-bytes.ts";
import { SPANS_AT_ONCE, type SpanCondition, lookIntoTraces } from "./look-into-traces.ts";
import { type Candidate, readCandidates } from "./read-candidates.ts";
import type { SearchPosition } from "./search-position.ts";

export type TraceSearch = {
  /** Conditions that an index finds. */
  indexed: ListFilter;
  /** Conditions that are tried on each trace. */
  tried: ListFilter;
  /** What one of its spans must be. */
  span: SpanCondition | null;
  after: SearchPosition | null;
  /** How many traces are wanted. */
  limit: number;
};

export type FoundTraces = {
  /** Newest first. */
  ids: string[];
  /** Where the search can go on; null at its end. */
  next: SearchPosition | null;
  /** Up to when it came, if it stopped before it found enough. */
  searchedUntil: Date | null;
};

/** What one search may cost: traces and spans that are read, and time. At least one step is done. */
export const SEARCH_BUDGET = { rows: 20_000, milliseconds: 500 };

/** The traces of the first step. Each one has more than the last. */
const FIRST_STEP = 100;
const GROWTH = 4;
/** About how much is read of a trace and of a span. */
const ROW_BYTES = 500;

/** How far a search is. */
type State = {
  found: Candidate[];
  position: SearchPosition | null;
  rowsLeft: number;
  isAtEnd: boolean;
  isSpent: () => boolean;
};

/**
 * Searches traces, newest first, by conditions that no index answers. It stops when it has found enough, or has cost as
 * much as it may, and can go on from there.
 */
export async function searchTraces(
  ctx: Ctx,
  search: TraceSearch,
  budget = SEARCH_BUDGET,
): Promise<FoundTraces> {
  const untilMs = performance.now() + budget.milliseconds;
  const state: State = {
    found: [],
    position: search.after,
    rowsLeft: budget.rows,
    isAtEnd: false,
    isSpent: () => state.rowsLeft <= 0 || performance.now() >= untilMs,
  };
  for (let size = FIRST_STEP; size === FIRST_STEP || !isDone(search, state); size *= GROWTH) {
    await takeStep(ctx, { search, state, size: Math.min(size, state.rowsLeft) });
  }
  countReadBytes(ctx, (budget.rows - state.rowsLeft) * ROW_BYTES);
  return summarize(search, state);
}

/** One more than wanted says that there are more. */
function isDone({ limit }: TraceSearch, { found, isAtEnd, isSpent }: State): boolean {
  return isAtEnd || found.length > limit || isSpent();
}

type Step = { search: TraceSearch; state: State; size: number };

async function takeStep(ctx: Ctx, { search, state, size }: Step): Promise<void> {
  const { indexed, tried, span } = search;
  const candidates = await readCandidates(ctx, { indexed, tried, after: state.position, limit: size });
  const last = candidates.at(-1);
  state.rowsLeft -= last?.place ?? 0;
  const matching = candidates.filter(({ matches }) => matches);
  if (span === null) state.found.push(...matching);
  else {
    for (const traces of groupTraces(matching)) {
      await lookIntoGroup(ctx, { search, state, span, traces });
      if (isDone(search, state)) return;
    }
  }
  if (last !== undefined) state.position = passTrace(last);
  state.isAtEnd = last === undefined || last.place < size;
}

/** Traces that have few enough spans together are read at once. */
function groupTraces(traces: readonly Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  let spans = Infinity;
  for (const trace of traces) {
    spans += trace.spanCount;
    if (spans <= SPANS_AT_ONCE) {
      groups.at(-1)?.push(trace);
      continue;
    }
    groups.push([trace]);
    spans = trace.spanCount;
  }
  return groups;
}

type Group = { search: TraceSearch; state: State; span: SpanCondition; traces: Candidate[] };

/** A trace of many spans is looked into piece by piece. */
async function lookIntoGroup(ctx: Ctx, { search, state, span, traces }: Group): Promise<void> {
  const [first] = traces;
  for (;;) {
    const { position } = state;
    const spanId = position?.id === first?.id ? (position?.spanId ?? null) : null;
    const looks = await lookIntoTraces(ctx, span, { traces, spanId });
    state.rowsLeft -= looks.reduce((sum, { spans }) => sum + spans, 0);
    const found = new Set(looks.filter(({ matches }) => matches).map(({ id }) => id));
    const large = looks.find(({ matches, spans }) => !matches && spans === SPANS_AT_ONCE);
    if (large === undefined || first === undefined || traces.length > 1) {
      state.found.push(...traces.filter(({ id }) => found.has(id)));
      const last = traces.at(-1);
      if (last !== undefined) state.position = passTrace(last);
      return;
    }
    state.position = { ...passTrace(first), spanId: large.spanId };
    if (isDone(search, state)) return;
  }
}

function passTrace({ createdAt, id }: Candidate): SearchPosition {
  return { createdAt, id, spanId: null };
}

function summarize({ limit }: TraceSearch, { found, position, isAtEnd }: State): FoundTraces {
  const shown = found.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const last = shown.at(-1);
  if (found.length > limit && last !== undefined) return { ids, next: passTrace(last), searchedUntil: null };
  const isStopped = !isAtEnd && position !== null;
  return { ids, next: isStopped ? position : null, searchedUntil: isStopped ? position.createdAt : null };
}
