import type { ResultOf } from "gql.tada";
import { z } from "zod";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createNotFoundError } from "../../../src/domain/kernel/errors.ts";
import { requireAgent } from "../../../src/domain/kernel/guard.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import type { DeferredCall } from "../deferred-call.ts";
import { toToolResult } from "../tool-result.ts";
import { uuid } from "./shapes.ts";
import { waitInTurns } from "./wait-in-turns.ts";

/** A question to people, as its agent sees it. */
export const question = z.object({
  question_id: uuid,
  status: z
    .enum(["pending", "answered", "expired"])
    .describe("pending: nobody has answered yet. expired: nobody can answer for the task any more."),
  answer: z.string().nullable(),
  answered_by: z.string().nullable().describe("The person."),
  url: z.url().describe("Where people answer, once they have logged in."),
});

export const QuestionFields = graphql(`
  fragment QuestionFields on Message {
    id: uuid
    kind
    waiting
    createdAt
    sender {
      uuid
    }
    answer {
      parts
      createdAt
      sender {
        name
      }
    }
  }
`);

export type QuestionRow = ResultOf<typeof QuestionFields>;

const ReadQuestion = graphql(
  `
    query ReadQuestion($id: ID!, $waitSeconds: Int) {
      message(id: $id, waitSeconds: $waitSeconds) {
        ...QuestionFields
      }
    }
  `,
  [QuestionFields],
);

/**
 * Reads a question of the caller's, once it is answered or the time is over.
 *
 * @throws {DomainError} not_found, also for what another agent asked.
 */
export async function readQuestion(ctx: Ctx, id: string, seconds: number): Promise<QuestionRow> {
  const messageId = toGlobalId("Message", id.toLowerCase());
  const { message } = await waitInTurns(ctx, seconds, {
    poll: (waitSeconds) => execute(ctx, ReadQuestion, { id: messageId, waitSeconds }),
    isOver: (found) => !found.message.waiting,
  });
  if (message.kind === "QUESTION" && message.sender.uuid === requireAgent(ctx).id) return message;
  throw createNotFoundError("question of yours");
}

export function questionJson(row: QuestionRow, baseUrl: string): z.output<typeof question> {
  return {
    question_id: row.id,
    status: getStatus(row),
    answer: row.answer === null ? null : row.answer.parts.map(partText).join("\n"),
    answered_by: row.answer?.sender.name ?? null,
    url: `${baseUrl}/inbox/${row.id}`,
  };
}

/** A call that asked the question, and is answered with it. */
export function deferQuestion(row: QuestionRow, baseUrl: string): DeferredCall {
  const answer = questionJson(row, baseUrl);
  return {
    id: `q_${row.id}`,
    status: row.waiting ? "working" : "completed",
    message: `A person has to answer: ${answer.url}`,
    createdAt: row.createdAt,
    updatedAt: row.answer?.createdAt ?? row.createdAt,
    result: toToolResult(answer),
  };
}

function getStatus({ answer, waiting }: QuestionRow): "pending" | "answered" | "expired" {
  if (answer !== null) return "answered";
  return waiting ? "pending" : "expired";
}

function partText(part: unknown): string {
  return isObject(part) && typeof part["text"] === "string" ? part["text"] : JSON.stringify(part);
}
