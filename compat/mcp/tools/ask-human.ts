import { z } from "zod";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createFieldError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import {
  QuestionFields,
  type QuestionRow,
  deferQuestion,
  question,
  questionJson,
  readQuestion,
} from "./question-shape.ts";
import { WAIT_SECONDS, leaseToken, omitUndefined, text, uuid, wholeNumber } from "./shapes.ts";

const QUESTION_LENGTH = 4000;
const CHOICES = 20;
const USUAL_WAIT_SECONDS = 45;

const AskHuman = graphql(
  `
    mutation AskHuman($input: SendMessageInput!) {
      asked: sendMessage(input: $input) {
        message {
          ...QuestionFields
        }
      }
    }
  `,
  [QuestionFields],
);

const input = z.strictObject({
  question: text(QUESTION_LENGTH),
  choices: z.array(text(LIMITS.titleLength)).max(CHOICES).optional().describe("Answers to choose from."),
  task_id: uuid.optional().describe("The task that you hold: it waits for the answer, and keeps its lease."),
  lease_token: leaseToken.optional(),
  wait_s: wholeNumber(WAIT_SECONDS)
    .default(USUAL_WAIT_SECONDS)
    .describe("How long to wait for the answer, in seconds."),
  expires_s: wholeNumber(LIMITS.inputTimeoutSeconds)
    .optional()
    .describe("With task_id: the task fails if nobody has answered for so long. Default: no limit."),
});

export const askHuman = createTool({
  name: "ask_human",
  title: "Ask a person",
  description:
    "Asks the people who supervise you, who answer in the browser; no agent can. While the status is pending, call ask_human_status. The same question is not asked a second time while it waits.",
  scopes: ["messages:write", "messages:read"],
  effect: "asks",
  input,
  output: question,
  usualWaitSeconds: USUAL_WAIT_SECONDS,
  run: async ({ ctx, baseUrl }, given) => {
    const { id } = await ask(ctx, given);
    return questionJson(await readQuestion(ctx, id, given.wait_s), baseUrl);
  },
  defer: async ({ ctx, baseUrl }, given) => deferQuestion(await ask(ctx, given), baseUrl),
});

async function ask(ctx: Ctx, given: z.output<typeof input>): Promise<QuestionRow> {
  const { asked } = await execute(ctx, AskHuman, { input: toMessage(given) });
  return asked.message;
}

/** @throws {DomainError} validation_failed for a task without its lease. */
function toMessage({ question: asked, choices = [], ...about }: z.output<typeof input>) {
  const { task_id: taskId, lease_token: token, expires_s: seconds } = about;
  if (taskId !== undefined && token === undefined)
    throw createFieldError("lease_token", "is required with task_id");
  if (taskId === undefined && seconds !== undefined) {
    throw createFieldError("expires_s", "is only allowed with task_id");
  }
  return omitUndefined({
    kind: "QUESTION" as const,
    parts: [{ text: [asked, ...choices.map((choice) => `- ${choice}`)].join("\n") }],
    metadata: choices.length === 0 ? undefined : { choices },
    expectsReply: true,
    answerBy: "PERSON" as const,
    reusesWaiting: true,
    taskId: taskId === undefined ? undefined : toGlobalId("Task", taskId.toLowerCase()),
    leaseToken: token,
    inputTimeoutSeconds: seconds,
  });
}
