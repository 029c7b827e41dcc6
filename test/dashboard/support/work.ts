import { expect } from "vitest";
import type { TestAnswer, TestClient } from "../../support/test-client.ts";

type NewTask = { title: string; queue: string; labels?: Record<string, string> };

/** Creates a task over REST. @returns its id. */
export async function postTask(agent: TestClient, task: NewTask): Promise<string> {
  const answer = await postAsAgent(agent, "/tasks", task);
  return answer.body.task.id;
}

/** Claims the next task of a queue. @returns the lease's token. */
export async function claimFrom(agent: TestClient, queue: string): Promise<string> {
  const answer = await postAsAgent(agent, "/tasks/claim", { queues: [queue] });
  return answer.body.lease.token;
}

/** Posts to the API as an agent, and expects success. */
export async function postAsAgent(agent: TestClient, path: string, body: unknown): Promise<TestAnswer> {
  const answer = await agent.post(`/api/v1${path}`, body);
  expect({ path, status: answer.status, text: answer.text }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return answer;
}
