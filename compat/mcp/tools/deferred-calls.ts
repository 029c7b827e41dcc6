import { createNotFoundError } from "../../../src/domain/kernel/errors.ts";
import type { DeferredCalls } from "../task-methods.ts";
import { cancelApproval, deferApproval, readApproval } from "./approval-shape.ts";
import { deferQuestion, readQuestion } from "./question-shape.ts";

/** What people are asked. */
const QUESTION: Kind = {
  read: async ({ ctx, baseUrl }, id, seconds) => deferQuestion(await readQuestion(ctx, id, seconds), baseUrl),
  // A question can't be withdrawn; people may still answer it.
  cancel: async ({ ctx }, id) => readQuestion(ctx, id, 0),
};

const APPROVAL: Kind = {
  read: async ({ ctx, baseUrl }, id, seconds) => deferApproval(await readApproval(ctx, id, seconds), baseUrl),
  cancel: async ({ ctx }, id) => cancelApproval(ctx, id),
};

/** By the letter that an id begins with. */
const KINDS = new Map([
  ["q", QUESTION],
  ["a", APPROVAL],
]);

/** The ids are UUIDs. */
type Kind = DeferredCalls;

const ID = /^(?<kind>[qa])_(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The calls that wait for people. */
export const deferredCalls: DeferredCalls = {
  read: async (call, id, seconds) => {
    const { kind, uuid } = parseId(id);
    return kind.read(call, uuid, seconds);
  },
  cancel: async (call, id) => {
    const { kind, uuid } = parseId(id);
    return kind.cancel(call, uuid);
  },
};

/** @throws {DomainError} not_found. */
function parseId(id: string): { kind: Kind; uuid: string } {
  const { kind = "", uuid = "" } = ID.exec(id)?.groups ?? {};
  const found = KINDS.get(kind);
  if (found === undefined) throw createNotFoundError("task");
  return { kind: found, uuid };
}
