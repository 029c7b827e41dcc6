import type { SpanOp } from "../../../data/trace-skeleton.ts";
import { NONE, at } from "../tree/at.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import { getNodeName } from "../tree/get-node-name.ts";

/** The spans of one trace that are at the same place. */
export type Side = {
  count: number;
  failures: number;
  open: number;
  /** Of all together, without those that are open. */
  durationUs: number;
};

/** What two traces have at one place: spans of a name and kind, below spans of the same names and kinds. */
export type AlignedSpans = {
  name: string;
  op: SpanOp;
  depth: number;
  before: Side;
  after: Side;
};

/** A place with those below it. */
type Place = AlignedSpans & { below: Map<string, Place> };

/** Aligns the spans of two traces, from top to bottom. */
export function alignSpans(before: SpanTree, after: SpanTree): AlignedSpans[] {
  const top = createPlace("", "other", -1);
  for (const [side, tree] of [["before", before] as const, ["after", after] as const]) {
    const places: Place[] = [];
    for (const node of tree.order) {
      const above = at(tree.parent, node);
      const place = enterPlace((above === NONE ? undefined : places[above]) ?? top, tree, node);
      places[node] = place;
      count(place[side], tree, node);
    }
  }
  return listPlaces(top);
}

function createPlace(name: string, op: SpanOp, depth: number): Place {
  const none = { count: 0, failures: 0, open: 0, durationUs: 0 };
  return { name, op, depth, before: { ...none }, after: { ...none }, below: new Map() };
}

function enterPlace(above: Place, tree: SpanTree, node: number): Place {
  const [name, op] = [getNodeName(tree, node), tree.spans.op[node] ?? "other"];
  const key = `${op} ${name}`;
  const place = above.below.get(key) ?? createPlace(name, op, above.depth + 1);
  above.below.set(key, place);
  return place;
}

function count(side: Side, { spans, startUs, endUs }: SpanTree, node: number): void {
  const us = (endUs[node] ?? 0) - (startUs[node] ?? 0);
  side.count++;
  if (spans.status[node] === "error") side.failures++;
  if (Number.isFinite(us)) side.durationUs += us;
  else side.open++;
}

/** Without recursion: traces may be deep. */
function listPlaces(top: Place): AlignedSpans[] {
  const listed: AlignedSpans[] = [];
  const open = [...top.below.values()].toReversed();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    listed.push(place);
    for (const below of [...place.below.values()].toReversed()) open.push(below);
  }
  return listed;
}

export type Difference = "new" | "gone" | "slower" | "faster" | "fails" | "same";

/** A difference of time is told from a fifth on, and from a millisecond on. */
const SHARE = 1.2;
const LEAST_US = 1000;

/** What changed at a place from the first trace to the second. How long an open span takes is not known yet. */
export function getDifference({ before, after }: AlignedSpans): Difference {
  if (before.count === 0) return "new";
  if (after.count === 0) return "gone";
  if (after.failures > 0 && before.failures === 0) return "fails";
  if (before.open > 0 || after.open > 0) return "same";
  const [short, long] = [before.durationUs, after.durationUs].toSorted((a, b) => a - b);
  if (short === undefined || long === undefined || long - short < LEAST_US || long < short * SHARE)
    return "same";
  return long === after.durationUs ? "slower" : "faster";
}
