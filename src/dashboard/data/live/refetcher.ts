/**
 * Refetches after changes: soon, but rate-limited, one request at a time and only while the page is visible, unless it
 * is asked to do so always.
 */
export type Refetcher = {
  /** Begins to refetch what is asked for, also before. Returns a function that ends it. */
  start: () => () => void;
  /** Requests a refetch. */
  ask: () => void;
  /** Whether another request is running. Its result may not include changes made meanwhile. */
  setBusy: (busy: boolean) => void;
};

export type RefetcherOptions = { apartMs: number; isAlsoHidden?: boolean };

/** Creates a refetcher that calls `read` at most once per `apartMs`, with when it was asked last. */
export function createRefetcher(
  read: (askedAt: number) => Promise<unknown>,
  { apartMs, isAlsoHidden = false }: RefetcherOptions,
): Refetcher {
  let [isStarted, isAsked, isReading, isBusy] = [false, false, false, false];
  let timer: number | null = null;
  let [lastAt, askedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

  function isUnseen(): boolean {
    return document.hidden && !isAlsoHidden;
  }

  function consider(): void {
    if (!isStarted || !isAsked || isReading || isBusy || timer !== null || isUnseen()) return;
    timer = window.setTimeout(() => void run(), Math.max(0, lastAt + apartMs - performance.now()));
  }

  async function run(): Promise<void> {
    timer = null;
    if (isBusy || isUnseen()) return;
    [isAsked, isReading, lastAt] = [false, true, performance.now()];
    await read(askedAt);
    isReading = false;
    consider();
  }

  function stop(): void {
    isStarted = false;
    document.removeEventListener("visibilitychange", consider);
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  return {
    start: () => {
      isStarted = true;
      document.addEventListener("visibilitychange", consider);
      consider();
      return stop;
    },
    ask: () => {
      [isAsked, askedAt] = [true, performance.now()];
      consider();
    },
    setBusy: (busy) => {
      isBusy = busy;
      consider();
    },
  };
}
