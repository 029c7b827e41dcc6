import { z } from "zod";
import { createTool } from "../tool.ts";
import { question, questionJson, readQuestion } from "./question-shape.ts";
import { WAIT_SECONDS, uuid, wholeNumber } from "./shapes.ts";

export const askHumanStatus = createTool({
  name: "ask_human_status",
  title: "Look for a person's answer",
  description: "Says whether your question is answered, and what was answered.",
  scopes: ["messages:read"],
  effect: "reads",
  input: z.strictObject({
    question_id: uuid,
    wait_s: wholeNumber(WAIT_SECONDS).default(0).describe("How long to wait for the answer, in seconds."),
  }),
  output: question,
  run: async ({ ctx, baseUrl }, { question_id: id, wait_s: seconds }) =>
    questionJson(await readQuestion(ctx, id, seconds), baseUrl),
});
