/** Refetches after changes: soon, but rate-limited, one request at a time and only while the page is visible. */
export type Refetcher = {
  /** Requests a refetch. */
  ask: () => void;
  /** Whether another request is running. Its result may not include changes made meanwhile. */
  setBusy: (busy: boolean) => void;
  stop: () => void;
};

/** Creates a refetcher that calls `read` at most once per `apartMs`. */
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
