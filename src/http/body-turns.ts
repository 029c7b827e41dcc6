/** Resolves when it is the turn of a holder's body. */
export type TakeBodyTurn = (holder: string, bytes: number) => Promise<void>;

/** Bodies are started in one turn of the event loop while they have fewer bytes together. */
export const TURN_BYTES = 65_536;
/** What a body counts at least: a request costs time whatever it has. */
export const LEAST_BYTES = 4096;

type WaitingBody = { bytes: number; start: () => void };

/**
 * Spreads bodies that have arrived together over turns of the event loop, since parsing and checking one blocks it.
 * Holders take turns, however many bodies they have. A body that comes alone is started at once.
 */
export function createBodyTurns(): TakeBodyTurn {
  const waiting = new Map<string, Set<WaitingBody>>();
  let bytesLeft = TURN_BYTES;
  let isDue = false;

  function awaitNextTurn(): void {
    if (!isDue) setImmediate(beginTurn);
    isDue = true;
  }

  function beginTurn(): void {
    bytesLeft = TURN_BYTES;
    isDue = false;
    while (waiting.size > 0 && bytesLeft > 0) startNext();
    if (bytesLeft < TURN_BYTES) awaitNextTurn();
  }

  /** Starts the first body of the first holder, and moves the holder to the end. */
  function startNext(): void {
    const [first] = waiting;
    if (first === undefined) return;
    const [holder, bodies] = first;
    const [body] = bodies;
    waiting.delete(holder);
    if (body === undefined) return;
    bodies.delete(body);
    if (bodies.size > 0) waiting.set(holder, bodies);
    bytesLeft -= body.bytes;
    body.start();
  }

  return (holder, size) =>
    new Promise((start) => {
      const bytes = Math.max(size, LEAST_BYTES);
      awaitNextTurn();
      if (waiting.size === 0 && bytesLeft > 0) {
        bytesLeft -= bytes;
        return start();
      }
      const bodies = waiting.get(holder) ?? new Set();
      waiting.set(holder, bodies.add({ bytes, start }));
    });
}
