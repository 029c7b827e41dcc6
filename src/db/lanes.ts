import { setMaxListeners } from "node:events";

/** Work of all lanes. */
export type LaneCounts = { running: number; waiting: number };

/** A lane, and whose connections it shares, such as a workspace's. */
export type LaneKey = { owner: string; name: string };

/**
 * Runs work in a lane. Each lane, and all lanes of an owner together, run a limited number at once; the rest waits in
 * order. An aborted signal ends the wait.
 */
export type Lanes = {
  <Result>(...given: InLane<Result>): Promise<Result>;
  count: () => LaneCounts;
};

type InLane<Result> = [key: LaneKey, work: () => Promise<Result>, signal?: AbortSignal | null];

/** The error code of work that did not get a turn in time. */
export const NO_TURN = "NO_TURN";

type Turn = { number: number; begin: () => void };
type Lane = { running: number; waiting: Set<Turn> };
/** An owner's lanes by their names, as long as something runs or waits in them. */
type OwnedLanes = Map<string, Lane>;

type LaneLimits = {
  /** How many run at once in each lane. */
  width: number;
  /** How many run at once in all lanes of an owner, besides one of each lane, which waits for no other lane. */
  shared: number;
  /** With so many of all owners, each lane runs only one: the rest is for lanes that have none. */
  most: number;
  /** How long to wait for a turn; after that, rejects with {@link NO_TURN}. */
  timeoutMs: number;
};

export function createLanes({ width, shared, most, timeoutMs }: LaneLimits): Lanes {
  const owners = new Map<string, OwnedLanes>();
  let turns = 0;
  let running = 0;

  function isFree(owned: OwnedLanes, lane: Lane): boolean {
    if (lane.running === 0) return true;
    return lane.running < width && running < most && countShared(owned) < shared;
  }

  function begin(lane: Lane): void {
    lane.running++;
    running++;
  }

  async function enter({ owner, name }: LaneKey, signal: AbortSignal | null): Promise<void> {
    const owned = getOrCreate(owners, owner, () => new Map<string, Lane>());
    const lane = getOrCreate(owned, name, () => ({ running: 0, waiting: new Set<Turn>() }));
    if (isFree(owned, lane)) begin(lane);
    else await waitForTurn(lane, { number: turns++, timeoutMs, signal });
  }

  /** Lets the next one begin directly, so that a turn is never free in between. */
  function leave({ owner, name }: LaneKey): void {
    const owned = owners.get(owner);
    const lane = owned?.get(name);
    if (owned === undefined || lane === undefined) return;
    lane.running--;
    running--;
    while (beginNext(owned));
    if (lane.running === 0) owned.delete(name);
    if (owned.size === 0) owners.delete(owner);
  }

  /** Begins the turn that has waited longest of those that can begin. @returns whether there was one. */
  function beginNext(owned: OwnedLanes): boolean {
    let next: { lane: Lane; turn: Turn } | null = null;
    for (const lane of owned.values()) {
      const [turn] = lane.waiting;
      if (turn === undefined || (next !== null && next.turn.number < turn.number)) continue;
      if (isFree(owned, lane)) next = { lane, turn };
    }
    if (next === null) return false;
    begin(next.lane);
    next.turn.begin();
    return true;
  }

  async function runInLane<Result>(...[key, work, signal = null]: InLane<Result>): Promise<Result> {
    await enter(key, signal);
    try {
      return await work();
    } finally {
      leave(key);
    }
  }
  return Object.assign(runInLane, { count: () => ({ running, waiting: countWaiting(owners) }) });
}

function countWaiting(owners: ReadonlyMap<string, OwnedLanes>): number {
  let count = 0;
  for (const owned of owners.values()) for (const { waiting } of owned.values()) count += waiting.size;
  return count;
}

function getOrCreate<Value>(from: Map<string, Value>, key: string, create: () => Value): Value {
  const known = from.get(key);
  if (known !== undefined) return known;
  const created = create();
  from.set(key, created);
  return created;
}

function countShared(owned: OwnedLanes): number {
  let count = 0;
  for (const { running } of owned.values()) count += Math.max(0, running - 1);
  return count;
}

type Wait = { number: number; timeoutMs: number; signal: AbortSignal | null };

function waitForTurn({ waiting }: Lane, { number, timeoutMs, signal }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn: Turn = { number, begin };
    const timer = setTimeout(giveUp, timeoutMs);
    if (signal !== null) {
      // One request may have any number of concurrent reads.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", giveUp, { once: true });
    }
    waiting.add(turn);
    if (signal?.aborted === true) giveUp();

    function begin(): void {
      leave();
      resolve();
    }

    function giveUp(): void {
      leave();
      reject(Object.assign(new Error("no database connection became available in time"), { code: NO_TURN }));
    }

    function leave(): void {
      waiting.delete(turn);
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  });
}
