/** Numbers the turns of the event loop until it is stopped. */
export function countLoopTurns(): { current: () => number; stop: () => void } {
  let [turn, isStopped] = [0, false];
  function next(): void {
    turn++;
    if (!isStopped) setImmediate(next);
  }
  setImmediate(next);
  return {
    current: () => turn,
    stop: () => {
      isStopped = true;
    },
  };
}

/** Keeps the event loop busy. */
export function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
