/** How long a test waits for something asynchronous: much longer than needed, because the machine may be busy. */
export const PATIENCE = { timeout: 15_000, interval: 20 } as const;
