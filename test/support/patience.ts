/** How long a test waits for what comes by itself: much longer than it takes, for the machine may be busy. */
export const PATIENCE = { timeout: 15_000, interval: 20 } as const;
