/** Reads again what has changed: soon, not too often, once at a time, and not where nobody looks. */
export type Refetcher = {
  /** Something has changed. */
  ask: () => void;
  /** Whether a reading that was begun elsewhere is under way: what changes meanwhile may not be in it. */
  setBusy: (busy: boolean) => void;
  stop: () => void;
};

/** Makes one around what reads, at most every `apartMs`. */
export function createRefetcher(read: () => Promise<unknown>, apartMs: number): Refetcher {
  let [isAsked, isReading, isBusy] = [false, false, false];
  let timer: number | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;

  function consider(): void {
    if (!isAsked || isReading || isBusy || timer !== null || document.hidden) return;
    timer = window.setTimeout(() => void run(), Math.max(0, lastAt + apartMs - performance.now()));
  }

  async function run(): Promise<void> {
    timer = null;
    if (isBusy || document.hidden) return;
    [isAsked, isReading, lastAt] = [false, true, performance.now()];
    await read();
    isReading = false;
    consider();
  }

  document.addEventListener("visibilitychange", consider);
  return {
    ask: () => {
      isAsked = true;
      consider();
    },
    setBusy: (busy) => {
      isBusy = busy;
      consider();
    },
    stop: () => {
      document.removeEventListener("visibilitychange", consider);
      if (timer !== null) clearTimeout(timer);
      isAsked = false;
    },
  };
}
