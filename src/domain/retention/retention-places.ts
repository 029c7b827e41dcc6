/** A position in a collection by age. */
export type Position = { at: Date; id: string };

/** Consecutive old rows, up to `end`. */
export type Window = { end: Position; isLast: boolean };

/** How far retention has got in a collection of a workspace. */
export type Place = {
  /** All rows up to here were deleted, or looked at and kept. */
  passed: Position;
  /** The rows that are looked at now; null if the next ones must be found. */
  window: Window | null;
};

/** The places of all workspaces in one collection, of this process. */
export type RetentionPlaces = {
  /** Forgets places from which kept rows are to be looked at again, and returns the others. */
  refresh: () => readonly { workspaceId: string; passed: Position }[];
  get: (workspaceId: string) => Place;
  /** @returns whether there are more rows to look at. */
  set: (workspaceId: string, place: Place, batch: PassedBatch) => boolean;
};

/** `ms`: how long it took; `isOver`: whether it was the last one of a pass. */
type PassedBatch = { deleted: number; ms: number; isOver: boolean };

/** A pass over rows that are kept may take one part in this many of the time. */
const KEPT_SHARE = 20;

/** Before every row. */
const START: Place = {
  passed: { at: new Date(0), id: "00000000-0000-0000-0000-000000000000" },
  window: null,
};

type KnownPlace = { place: Place; deleted: number; keptMs: number; restartAtMs: number };

const NEW_PASS = { deleted: 0, keptMs: 0, restartAtMs: Infinity };

/**
 * Remembers places, so that rows that stay are passed once and not with every batch. What keeps a row may end, so
 * after a pass the next one starts at the first row again: at once if few rows are kept, and later if they are many.
 *
 * @param rule `freesOlder`: a pass that deleted rows is followed by another one.
 */
export function createRetentionPlaces({ freesOlder }: { freesOlder: boolean }): RetentionPlaces {
  const known = new Map<string, KnownPlace>();
  return {
    refresh: () => {
      const nowMs = performance.now();
      for (const [workspaceId, { restartAtMs }] of known) {
        if (restartAtMs <= nowMs) known.delete(workspaceId);
      }
      return Array.from(known, ([workspaceId, { place }]) => ({ workspaceId, passed: place.passed }));
    },
    get: (workspaceId) => known.get(workspaceId)?.place ?? START,
    set: (workspaceId, place, { deleted, ms, isOver }) => {
      const pass = { ...(known.get(workspaceId) ?? NEW_PASS), place };
      pass.deleted += deleted;
      if (deleted === 0) pass.keptMs += ms;
      known.set(workspaceId, pass);
      if (!isOver) return true;
      pass.restartAtMs = Math.min(pass.restartAtMs, performance.now() + KEPT_SHARE * pass.keptMs);
      if (!freesOlder || pass.deleted === 0) return false;
      known.delete(workspaceId);
      return true;
    },
  };
}
