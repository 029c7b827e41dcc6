import type { Context } from "hono";
import { getBodyHolder } from "../../../src/domain/kernel/actor.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { type EventWriter, SIGN_OF_LIFE, answerEvents } from "../../../src/http/event-stream.ts";
import type { HoldBody } from "../../../src/http/held-bodies.ts";
import type { A2aEnv } from "../a2a-app.ts";
import type { Failure } from "../a2a-error.ts";
import { describeError } from "../describe-error.ts";
import type { Updates } from "../operation.ts";

/** How a binding spells the events of a stream. */
export type EventFormat = {
  formatUpdate: (update: object) => string;
  formatFailure: (failure: Failure) => string;
};

type Answering = { updates: Updates; holdBody: HoldBody; format: EventFormat };

/**
 * Answers with a stream of updates. What a slow client has not taken counts as the body of a request in progress, and
 * nothing else is read for it meanwhile.
 */
export function answerUpdates(
  c: Context<A2aEnv>,
  { updates: { first, follow }, holdBody, format }: Answering,
): Response {
  const holder = getBodyHolder(c.get("ctx"));
  async function send({ write, untilRead }: EventWriter, text: string): Promise<void> {
    const held = holdBody(holder, Buffer.byteLength(text));
    if (held === null) throw createRoomError();
    write(text);
    try {
      await untilRead();
    } finally {
      held.keep(0);
    }
  }
  return answerEvents(c, async (writer) => {
    try {
      await send(writer, format.formatUpdate(first));
      await follow((update) => send(writer, update === null ? SIGN_OF_LIFE : format.formatUpdate(update)));
    } catch (error) {
      // Nobody listens any more.
      if (c.get("ctx").signal?.aborted === true) return;
      writer.write(format.formatFailure(describeError(error, c)));
    }
  });
}

function createRoomError(): DomainError {
  return new DomainError("unavailable", "Too many large answers at once. Try again in a few seconds.");
}
