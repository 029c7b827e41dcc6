import { expect } from "vitest";
import type { Answer, Client } from "../../support/client.ts";

/** Creates a task over REST. @returns its id. */
export async function createTask(agent: Client, task: { title: string; queue: string }): Promise<string> {
  const answer = await held(agent, "/tasks", task);
  return answer.body.task.id;
}

/** Claims the next task of a queue. @returns the lease's token. */
export async function claimFrom(agent: Client, queue: string): Promise<string> {
  const answer = await held(agent, "/tasks/claim", { queues: [queue] });
  return answer.body.lease.token;
}

/** Posts to the API as an agent, and holds that it went well. */
export async function held(agent: Client, path: string, body: unknown): Promise<Answer> {
  const answer = await agent.post(`/api/v1${path}`, body);
  expect({ path, status: answer.status, text: answer.text }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return answer;
}
