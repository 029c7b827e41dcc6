import { type ExecutionArgs, getOperationAST, execute, print } from "graphql";
import type { Logger } from "pino";
import type { Actor } from "../domain/actor.ts";
import type { Ctx } from "../domain/context.ts";
import type { EventRequest } from "../live/event-stream.ts";
import type { Frame } from "../live/frame.ts";
import type { Group } from "../live/subscription.ts";
import { maskError } from "./mask-error.ts";
import { startVariables } from "./socket-documents.ts";

/** Documents as texts without anything that makes no difference. */
const TEXTS = new WeakMap<object, string>();

/**
 * Makes the group of a subscription: of all who asked the same in the same workspace and may see the same.
 * Each frame is executed and written as JSON once for all of them.
 */
export function createGroup(args: ExecutionArgs, { filter }: EventRequest, log: Logger): Group {
  // The context of every operation here is a Ctx.
  const ctx = args.contextValue as Ctx;
  return {
    key: JSON.stringify([
      ctx.workspaceId,
      viewOf(ctx.actor),
      textOf(args),
      args.operationName,
      variablesOf(args),
    ]),
    filter,
    render: (frame) => Buffer.from(JSON.stringify(payloadOf(args, frame, log))),
  };
}

function payloadOf(args: ExecutionArgs, frame: Frame, log: Logger): object {
  const result = execute({ ...args, rootValue: frame });
  // Nothing below a subscription may wait: frames are written in the order in which they come.
  if ("then" in result) return { errors: [maskError(new Error("a field of an event is not there"), log)] };
  const { errors, ...rest } = result;
  return errors === undefined ? rest : { ...rest, errors: errors.map((error) => maskError(error, log)) };
}

function textOf({ document }: ExecutionArgs): string {
  const text = TEXTS.get(document) ?? print(document);
  TEXTS.set(document, text);
  return text;
}

function variablesOf({ document, operationName, variableValues }: ExecutionArgs): unknown {
  const operation = getOperationAST(document, operationName ?? undefined);
  const starts = operation ? startVariables(operation) : new Set<string>();
  const entries = Object.entries(variableValues ?? {}).filter(([name]) => !starts.has(name));
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What differs between those who may see different things. */
function viewOf(actor: Actor): string {
  if (actor.type === "agent") return [...actor.scopes].toSorted().join(" ");
  return actor.type === "user" ? actor.role : actor.type;
}
