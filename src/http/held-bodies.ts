import { createSharedCapacity } from "../domain/kernel/shared-capacity.ts";
import { createBodyTurns } from "./body-turns.ts";

/** The memory that is reserved for a body. */
export type HeldBody = {
  /** Releases all but this many bytes. */
  keep: (bytes: number) => void;
  /** Resolves when the event loop has time for the body. */
  takeTurn: () => Promise<void>;
};

/** Reserves memory for a body of a holder; null if there is not enough. */
export type HoldBody = (holder: string, bytes: number) => HeldBody | null;

/** Limits the memory for the bodies of all running requests, which holders share. */
export function createHeldBodies(maxBytes: number): HoldBody {
  const memory = createSharedCapacity(maxBytes);
  const takeTurn = createBodyTurns();
  return (holder, bytes) => {
    if (!memory.fits(holder, bytes)) return null;
    let kept = bytes;
    memory.take(holder, kept);
    return {
      keep: (less) => {
        memory.release(holder, kept - less);
        kept = less;
      },
      takeTurn: () => takeTurn(holder, kept),
    };
  };
}
