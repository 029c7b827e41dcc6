import { describe, expect, it } from "vitest";
import type { AgentCommand } from "../../../src/db/generated/client.ts";
import { createWaiter, takeNotified } from "../../../src/domain/agent-commands/command-waiter.ts";

const by = { type: "agent", id: crypto.randomUUID(), name: "An agent" } as const;
const asked = { agentId: by.id, limit: 2, by, now: null };
/** Much longer than a test may take. */
const LONG_MS = 600_000;

const command = (id: string) => ({ id }) as AgentCommand;

/** A waiter, and how often it woke the deliveries. */
function create() {
  let wakes = 0;
  const waiter = createWaiter(asked, () => wakes++);
  return { waiter, wakes: () => wakes };
}

/** Whether a promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol("pending");
  const first = await Promise.race([promise, Promise.resolve(pending)]);
  return first !== pending;
}

describe("a waiter for commands", { timeout: 20_000 }, () => {
  it("is free while it waits and nothing is delivered to it", async () => {
    const { waiter } = create();
    expect(waiter.isFree()).toBe(false);
    const given = waiter.next(LONG_MS, []);
    expect(waiter.isFree()).toBe(true);
    waiter.take();
    expect([waiter.isFree(), waiter.isNotified]).toEqual([false, false]);
    waiter.settle([command("1")]);
    expect(await given).toEqual([command("1")]);
    expect(waiter.isFree()).toBe(false);
  });

  it("wakes the deliveries if something may be due when it starts to wait", async () => {
    const { waiter, wakes } = create();
    const first = waiter.next(LONG_MS, []);
    expect(wakes()).toBe(1);
    waiter.take();
    waiter.settle([command("1")]);
    await first;
    const second = waiter.next(1, []);
    expect(wakes()).toBe(1);
    expect(await second).toEqual([]);
  });

  it("goes on waiting if nothing was due", async () => {
    const { waiter } = create();
    const given = waiter.next(LONG_MS, []);
    waiter.take();
    waiter.settle([]);
    expect([await isSettled(given), waiter.isFree(), waiter.isNotified]).toEqual([false, true, false]);
    waiter.take();
    waiter.settle([command("1")]);
    expect(await given).toEqual([command("1")]);
  });

  it("may get more if it got as many as its limit", () => {
    const { waiter } = create();
    waiter.take();
    waiter.settle([command("1")]);
    expect(waiter.isNotified).toBe(false);
    waiter.take();
    waiter.settle([command("1"), command("2")]);
    expect(waiter.isNotified).toBe(true);
  });

  it("rejects with the error of the delivery, and may get it the next time", async () => {
    const { waiter } = create();
    const given = waiter.next(LONG_MS, []);
    waiter.take();
    waiter.fail(new Error("lost"));
    await expect(given).rejects.toThrow("lost");
    expect([waiter.isNotified, waiter.isFree()]).toEqual([true, false]);
    const again = waiter.next(LONG_MS, []);
    expect(waiter.isFree()).toBe(true);
    waiter.settle([command("1")]);
    expect(await again).toEqual([command("1")]);
  });

  it("ends when a signal is aborted, also one that was aborted before", async () => {
    const { waiter } = create();
    const going = new AbortController();
    const given = waiter.next(LONG_MS, [new AbortController().signal, going.signal]);
    expect(await isSettled(given)).toBe(false);
    going.abort();
    expect(await given).toEqual([]);
    expect(await waiter.next(LONG_MS, [going.signal])).toEqual([]);
  });

  it("ends after a running delivery, whose commands are not lost", async () => {
    const { waiter } = create();
    const going = new AbortController();
    const given = waiter.next(LONG_MS, [going.signal]);
    waiter.take();
    going.abort();
    expect(await isSettled(given)).toBe(false);
    waiter.settle([command("1")]);
    expect(await given).toEqual([command("1")]);
    const nothing = waiter.next(LONG_MS, [going.signal]);
    waiter.take();
    expect(await nothing).toEqual([]);
  });

  it("ends after a running delivery of nothing", async () => {
    const { waiter } = create();
    const going = new AbortController();
    const given = waiter.next(LONG_MS, [going.signal]);
    waiter.take();
    going.abort();
    waiter.settle([]);
    expect(await given).toEqual([]);
  });
});

describe("takeNotified", () => {
  it("takes the first that is free and may get something, and lets it be the last", async () => {
    const [busy, one, other] = [create().waiter, create().waiter, create().waiter];
    const given = [busy, one, other].map((waiter) => waiter.next(LONG_MS, []));
    busy.take();
    busy.isNotified = true;
    const waiters = new Set([busy, one, other]);
    expect(takeNotified(waiters)).toBe(one);
    expect([...waiters]).toEqual([busy, other, one]);
    expect([one.isNotified, one.isFree()]).toEqual([false, false]);
    expect(takeNotified(waiters)).toBe(other);
    expect(takeNotified(waiters)).toBeNull();
    for (const waiter of waiters) waiter.settle([command("1")]);
    expect(await Promise.all(given)).toHaveLength(3);
  });
});
