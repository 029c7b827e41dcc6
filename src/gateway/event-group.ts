import { createHash } from "node:crypto";
import { type ExecutionArgs, execute, getOperationAST } from "graphql";
import type { Logger } from "pino";
import { eventCursor } from "../domain/kernel/cursors.ts";
import type { EventRequest } from "../live/event-stream.ts";
import type { SubscriptionFrame } from "../live/subscription-frame.ts";
import type { Rendering } from "../live/rendered-frames.ts";
import type { SubscriberGroup } from "../live/subscription.ts";
import { getFrameSelection } from "./frame-selection.ts";
import { maskError } from "./mask-error.ts";

/**
 * Creates the group of a subscription: all subscriptions of the workspace with the same events and the same
 * selection. Permissions are in the filter; rendering does not depend on the subscriber.
 */
export function createGroup(args: ExecutionArgs, { filter }: EventRequest, log: Logger): SubscriberGroup {
  const rendering = {
    key: createGroupKey(args),
    render: (frame: SubscriptionFrame) => render(args, frame, log),
  };
  return { key: JSON.stringify([rendering.key, filter]), filter, rendering };
}

/** Equal for all documents and variables that render the same frames. */
export function createGroupKey({ document, operationName, variableValues }: ExecutionArgs): Rendering["key"] {
  const operation = getOperationAST(document, operationName ?? undefined);
  if (!operation) throw new Error("the subscription has no operation");
  const { text, variables } = getFrameSelection(document, operation);
  const values = Object.entries(variableValues ?? {})
    .filter(([name]) => variables.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([text, values]))
    .digest("base64url");
}

/**
 * Renders a frame as JSON text. A frame that can't be rendered becomes an error with the cursor to resume
 * from.
 */
function render(args: ExecutionArgs, frame: SubscriptionFrame, log: Logger): Buffer {
  try {
    const result = execute({ ...args, rootValue: frame, contextValue: ANONYMOUS_CONTEXT });
    // Nothing below a subscription may be asynchronous: frames are written in order.
    if ("then" in result) throw new Error("an event's field resolves asynchronously");
    const { errors, ...rest } = result;
    if (errors === undefined) return Buffer.from(JSON.stringify(rest));
    return Buffer.from(JSON.stringify({ ...rest, ...toErrorFrame(frame, errors, log) }));
  } catch (error) {
    return Buffer.from(JSON.stringify({ data: null, ...toErrorFrame(frame, [error], log) }));
  }
}

/** The caller is not at fault: the document is valid. */
function toErrorFrame(frame: SubscriptionFrame, errors: readonly unknown[], log: Logger): object {
  const { epoch, seq } = frame.kind === "event" ? frame.event : frame.at;
  return {
    errors: errors.map((error) => maskError(new Error("a frame can't be rendered", { cause: error }), log)),
    extensions: { cursor: eventCursor(epoch, BigInt(seq)) },
  };
}

/** The context of frames that are rendered once for many. Reading the caller from it is a bug. */
const ANONYMOUS_CONTEXT: object = new Proxy(
  {},
  {
    get: (_nobody, name) => {
      throw new Error(`an event's field reads ${String(name)} from the caller's context`);
    },
  },
);
