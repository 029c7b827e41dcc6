import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { DomainError } from "../kernel/errors.ts";
import { type FairQueue, type WaitingItem, openFairQueue } from "../kernel/fair-queue.ts";
import { CHECK_MS, type SchemaThread, openSchemaThread } from "./schema-thread.ts";
import type { SchemaCheck, SchemaVerdict } from "./worker-messages.ts";

/** Compiles callers' JSON Schemas and validates values, in worker threads. */
export type SchemaChecker = {
  /**
   * Validates a value, or a schema alone. A check that takes more than two seconds or too much memory is
   * terminated, and its schema is rejected without a check for ten seconds.
   *
   * @throws {DomainError} unavailable if too many checks wait, or the workspace has used up its time.
   */
  check: (workspaceId: string, check: SchemaCheck) => Promise<SchemaVerdict>;
  close: () => Promise<void>;
};

/** How much of the threads' time a workspace may use beyond its share. */
const MAX_USED_MS = 2 * CHECK_MS;
/** The time charged for a check that terminates its thread, which must be restarted. */
const ENDED_MS = 1.5 * CHECK_MS;
const MAX_WAIT_MS = 20_000;
const LEFT_ALONE_MS = 10_000;
/** How long a workspace with a terminated check can only use the second thread. */
const SET_APART_MS = 600_000;
/** The most bytes of checks that wait. */
const MOST_WAITING_BYTES = { all: 33_554_432, workspace: 4_194_304 };
/** The estimated overhead of a waiting check. */
const ITEM_BYTES = 1000;

const TOO_SLOW = { subject: "schema", path: [], detail: "takes too long to check" } as const;

type Item = WaitingItem & { check: SchemaCheck; settle: (verdict: SchemaVerdict | DomainError) => void };

/** A thread, and the workspaces that it serves. */
type ThreadSlot = { thread: SchemaThread; serves: (workspaceId: string) => boolean; isBusy: boolean };

type Checker = {
  log: Logger;
  queue: FairQueue<Item>;
  slots: ThreadSlot[];
  /** Terminated checks, and the workspaces that asked for them. */
  tooSlow: LRUCache<string, true>;
  setApart: LRUCache<string, true>;
  isClosed: boolean;
};

/** Creates a checker. Its threads start with the first check. */
export function createSchemaChecker(log: Logger): SchemaChecker {
  const setApart = new LRUCache<string, true>({ max: 10_000, ttl: SET_APART_MS });
  const tooSlow = new LRUCache<string, true>({ max: 200, ttl: LEFT_ALONE_MS });
  const checker: Checker = {
    log,
    queue: openFairQueue(MOST_WAITING_BYTES),
    slots: [],
    tooSlow,
    setApart,
    isClosed: false,
  };
  const listener = {
    onReady: () => {
      log.debug("a schema thread is ready");
      serve(checker);
    },
    onError: (err: unknown) => log.error({ err }, "a schema thread failed"),
  };
  checker.slots.push(
    { thread: openSchemaThread(listener), serves: (id) => !setApart.has(id), isBusy: false },
    { thread: openSchemaThread(listener), serves: () => true, isBusy: false },
  );
  return { check: (workspaceId, asked) => check(checker, workspaceId, asked), close: () => close(checker) };
}

async function check(checker: Checker, workspaceId: string, asked: SchemaCheck): Promise<SchemaVerdict> {
  const { queue, tooSlow, isClosed } = checker;
  if (tooSlow.has(toCacheKey(workspaceId, asked))) return TOO_SLOW;
  if (isClosed || queue.usedMs(workspaceId) > MAX_USED_MS) throw createBusyError();
  return new Promise((resolve, reject) => {
    function settle(result: SchemaVerdict | DomainError): void {
      clearTimeout(timer);
      if (result instanceof DomainError) reject(result);
      else resolve(result);
    }
    const bytes = ITEM_BYTES + 2 * (asked.schema.length + (asked.value?.length ?? 0));
    const item: Item = { workspaceId, bytes, check: asked, settle };
    const timer = setTimeout(() => giveUp(queue, item), MAX_WAIT_MS);
    if (queue.add(item)) serve(checker);
    else settle(createBusyError());
  });
}

function serve(checker: Checker): void {
  const { log, queue, slots } = checker;
  for (const slot of slots) {
    if (checker.isClosed) return;
    slot.thread.start();
    if (slot.isBusy || !slot.thread.isReady()) continue;
    const item = queue.begin(slot.serves);
    if (item === null) continue;
    work(checker, slot, item).catch((err: unknown) => log.error({ err }, "a schema check failed"));
  }
}

async function work(checker: Checker, slot: ThreadSlot, item: Item): Promise<void> {
  const { log, queue, tooSlow, setApart } = checker;
  const { workspaceId } = item;
  slot.isBusy = true;
  const answer = await slot.thread.run(item.check);
  slot.isBusy = false;
  queue.end(item, answer?.tookMs ?? ENDED_MS);
  if (answer !== null) item.settle(answer.verdict);
  else if (checker.isClosed) item.settle(createBusyError());
  else {
    log.warn({ workspaceId }, "a schema took too long to check and was terminated");
    tooSlow.set(toCacheKey(workspaceId, item.check), true);
    setApart.set(workspaceId, true);
    item.settle(TOO_SLOW);
  }
  serve(checker);
}

async function close(checker: Checker): Promise<void> {
  checker.isClosed = true;
  for (const item of checker.queue.waiting()) giveUp(checker.queue, item);
  await Promise.all(checker.slots.map(({ thread }) => thread.end()));
}

function giveUp(queue: FairQueue<Item>, item: Item): void {
  queue.remove(item);
  item.settle(createBusyError());
}

function toCacheKey(workspaceId: string, { schema }: SchemaCheck): string {
  return `${workspaceId} ${schema}`;
}

function createBusyError(): DomainError {
  return new DomainError(
    "unavailable",
    "JSON Schemas can't be checked at the moment. Try again in a few seconds.",
  );
}
