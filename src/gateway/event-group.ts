import { createHash } from "node:crypto";
import { type ExecutionArgs, execute, getOperationAST } from "graphql";
import type { Logger } from "pino";
import { eventCursor } from "../domain/kernel/page.ts";
import type { EventRequest } from "../live/event-stream.ts";
import type { SubscriptionFrame } from "../live/subscription-frame.ts";
import type { Rendering } from "../live/rendered-frames.ts";
import type { SubscriberGroup } from "../live/subscription.ts";
import { getFrameSelection } from "./frame-selection.ts";
import { maskError } from "./mask-error.ts";

/**
 * Makes the group of a subscription: of all in its workspace who get the same events and asked for the same of
 * them. Which events somebody may see is in the filter; nothing that is rendered knows who reads it.
 */
export function createGroup(args: ExecutionArgs, { filter }: EventRequest, log: Logger): SubscriberGroup {
  const rendering = {
    key: createGroupKey(args),
    render: (frame: SubscriptionFrame) => render(args, frame, log),
  };
  return { key: JSON.stringify([rendering.key, filter]), filter, rendering };
}

/** The same for all documents, and variables, that make the same of every frame. */
export function createGroupKey({ document, operationName, variableValues }: ExecutionArgs): Rendering["key"] {
  const operation = getOperationAST(document, operationName ?? undefined);
  if (!operation) throw new Error("a subscription without its operation");
  const { text, variables } = getFrameSelection(document, operation);
  const values = Object.entries(variableValues ?? {})
    .filter(([name]) => variables.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([text, values]))
    .digest("base64url");
}

/** A frame as one JSON text. What can't be rendered is told as an error, with the cursor to go on from. */
function render(args: ExecutionArgs, frame: SubscriptionFrame, log: Logger): Buffer {
  try {
    const result = execute({ ...args, rootValue: frame, contextValue: ANONYMOUS_CONTEXT });
    // Nothing below a subscription may wait: frames are written in the order in which they come.
    if ("then" in result) throw new Error("a field of an event is not there");
    const { errors, ...rest } = result;
    if (errors === undefined) return Buffer.from(JSON.stringify(rest));
    return Buffer.from(JSON.stringify({ ...rest, ...toErrorFrame(frame, errors, log) }));
  } catch (error) {
    return Buffer.from(JSON.stringify({ data: null, ...toErrorFrame(frame, [error], log) }));
  }
}

/** Whoever asked is at no fault: the document is valid. */
function toErrorFrame(frame: SubscriptionFrame, errors: readonly unknown[], log: Logger): object {
  const { epoch, seq } = frame.kind === "event" ? frame.event : frame.at;
  return {
    errors: errors.map((error) => maskError(new Error("a frame can't be rendered", { cause: error }), log)),
    extensions: { cursor: eventCursor(epoch, BigInt(seq)) },
  };
}

/** The context of what is rendered for many: a field that asks it who reads is a fault. */
const ANONYMOUS_CONTEXT: object = new Proxy(
  {},
  {
    get: (_nobody, name) => {
      throw new Error(`a field of an event asks for ${String(name)} of who reads it`);
    },
  },
);
