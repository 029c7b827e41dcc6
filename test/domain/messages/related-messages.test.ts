import { afterAll, beforeAll, expect, it } from "vitest";
import { readAnswers } from "../../../src/domain/messages/read-answers.ts";
import { readOpenQuestions } from "../../../src/domain/messages/read-open-questions.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

it("answers and open questions are read on the same connection", async () => {
  const { workspaceId } = await server.createWorkspace();
  const ctx = server.systemCtx(workspaceId);
  const ids = [crypto.randomUUID()];
  for (let round = 0; round < 2; round++) {
    // One after the other, so that a connection that is idle is used again.
    expect(await readAnswers(ctx, ids)).toEqual(new Map());
    expect(await readOpenQuestions(ctx, ids)).toEqual(new Map());
  }
});
