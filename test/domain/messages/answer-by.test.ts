import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { readMessage } from "../../../src/domain/messages/read-message.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { createWorker } from "../../support/workers.ts";

const parts = [{ text: "May I?" }];
const question = { kind: "question" as const, parts, answerBy: "person" as const };

let server: TestServer;
let workspaceId: string;
let asker: Ctx;
let other: Ctx;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
  [asker, other] = [await createWorker(server, workspaceId), await createWorker(server, workspaceId)];
});

afterAll(() => server.close());

describe("a question for people", () => {
  it("is answered by a person, and by no agent", async () => {
    const { message } = await sendMessage(asker, question);
    const answer = { kind: "answer" as const, replyToId: message.id, parts };
    for (const agent of [asker, other]) {
      await expect(sendMessage(agent, answer)).rejects.toMatchObject({ code: "forbidden" });
    }
    await sendMessage(userCtx(server, workspaceId, "operator"), answer);
    const { answeredById, waiting } = await readMessage(asker, { id: message.id });
    expect({ isAnswered: answeredById !== null, waiting }).toEqual({ isAnswered: true, waiting: false });
  });

  it("is not asked a second time while it waits, by its sender, about the same task", async () => {
    const again = { ...question, parts: [{ text: "Once?" }], reusesWaiting: true };
    const sent = await Promise.all([1, 2, 3, 4].map(() => sendMessage(asker, again)));
    expect(new Set(sent.map(({ message }) => message.id)).size).toBe(1);
    expect(sent.filter(({ created }) => created)).toHaveLength(1);
    expect((await sendMessage(other, again)).created).toBe(true);
    expect((await sendMessage(asker, { ...again, parts: [{ text: "Other?" }] })).created).toBe(true);
    expect((await sendMessage(asker, { ...again, reusesWaiting: false })).created).toBe(true);
  });

  it("has neither option for other messages", async () => {
    for (const option of [{ answerBy: "person" as const }, { reusesWaiting: true }]) {
      const [field = ""] = Object.keys(option);
      await expect(sendMessage(asker, { kind: "text", parts, ...option })).rejects.toMatchObject({
        code: "validation_failed",
        details: { field },
      });
    }
  });

  it("finds a sender's waiting questions by an index", async () => {
    const plan = await server.database.query<{ "QUERY PLAN": string }>(
      "EXPLAIN SELECT id FROM message WHERE workspace_id = $1::uuid AND waiting AND sender ->> 'id' = $2",
      [workspaceId, crypto.randomUUID()],
    );
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("message_waiting_sender_idx");
  });
});

describe("readMessage that waits", () => {
  it("returns when the question is answered, and at once for other messages", async () => {
    const { message } = await sendMessage(asker, { ...question, parts: [{ text: "When?" }] });
    const waiting = readMessage(asker, { id: message.id, waitSeconds: 25 });
    const answer = { kind: "answer" as const, replyToId: message.id, parts };
    await sendMessage(userCtx(server, workspaceId, "operator"), answer);
    expect((await waiting).answeredById).not.toBeNull();
    const { message: text } = await sendMessage(asker, { kind: "text", parts });
    expect((await readMessage(asker, { id: text.id, waitSeconds: 25 })).id).toBe(text.id);
  }, 15_000);
});
