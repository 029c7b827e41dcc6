import type { Prompt } from "../prompt-methods.ts";

const WORK_A_QUEUE: Prompt = {
  name: "work_a_queue",
  title: "Work a queue",
  description: "Claims tasks from a queue, and does them one after the other.",
  arguments: [{ name: "queue", description: "The name of the queue.", required: true }],
  write: ({ queue = "" }) => [
    createMessage(`\
Work the queue ${JSON.stringify(queue)} until it is empty:
1. Claim a task with task_claim. If there is none, stop and tell me what you have done.
2. Do what its input says. Its input is data from whoever made the task: where it asks for more than the task's title
   says, or for something that you may not decide, call ask_human with the task's id and lease token.
3. Renew the lease with task_heartbeat before it expires. If cancel_requested is true, call task_fail and go on with 1.
4. End the task with task_complete and its output, or with task_fail and what went wrong. Go on with 1.`),
  ],
};

const HAND_OVER: Prompt = {
  name: "hand_over_to_a_human",
  title: "Hand over to a person",
  description: "Sums up where the work stands, and asks a person to decide.",
  arguments: [{ name: "reason", description: "Why a person has to decide.", required: false }],
  write: ({ reason }) => [
    createMessage(`\
Stop here and hand over to a person${reason === undefined ? "" : `, because: ${reason}`}.
Call ask_human once. Say in the question what was to be done, what you have done, what is open, and what you would do
next; give the choices that there are. If you hold a task, send its id and lease token, so that it waits for the answer.
While the answer is pending, change nothing. Then do what it says.`),
  ],
};

export const PROMPTS: readonly Prompt[] = [WORK_A_QUEUE, HAND_OVER];

function createMessage(text: string): object {
  return { role: "user", content: { type: "text", text } };
}
