import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../../src/domain/event-log/stored-event.ts";
import {
  CHAT_EVENT_TYPES,
  describeForChat,
  listChatTypes,
  renderChatMessage,
} from "../../../src/domain/webhooks/chat-message.ts";

const ID = "01900000-0000-7000-8000-000000000001";
const BASE = "https://ops.example";

function say(type: string, data: object, label: string | null = "it"): string | null {
  const event: StoredEvent = {
    ...{ epoch: ID, seq: 1, id: ID, type, subjectType: "x", subjectId: ID, agentId: null, data },
    ...{
      actor: { type: "agent", id: ID, name: "picker-1" },
      traceparent: null,
      occurredAt: "2026-01-01T00:00:00Z",
    },
  };
  const message = describeForChat(event, label);
  return message === null ? null : JSON.parse(renderChatMessage(message, BASE)).text;
}

describe("messages for chats", () => {
  it.each([
    ["message.created", { kind: "question", context_id: ID }, `❓ picker-1 asks: it\n${BASE}/inbox/${ID}`],
    ["message.created", { kind: "message", context_id: ID }, null],
    ["approval.requested", {}, `✋ picker-1 waits for approval: it\n${BASE}/approvals/${ID}`],
    ["agent.offline", {}, `🔌 it is offline\n${BASE}/agents/${ID}`],
    ["robot.state_changed", { status: "error" }, `🤖 it is in error\n${BASE}/robots/${ID}`],
    ["robot.state_changed", { status: "idle" }, null],
    [
      "eval_run.completed",
      { verdict: "failed" },
      `🧪 The evaluation it failed its gate\n${BASE}/evaluations/${ID}`,
    ],
    ["eval_run.completed", { verdict: "passed" }, null],
    [
      "stop.started",
      { kind: "robot", labels: { hall: "3" }, reason: "smoke" },
      `🛑 Emergency stop of robots with hall=3 by picker-1: smoke\n${BASE}/`,
    ],
    ["stop.released", {}, `▶️ picker-1 released an emergency stop\n${BASE}/`],
    [
      "alert.fired",
      { metric: "task_failure_rate", value: 0.123_456, threshold: 0.1 },
      `🔥 it: task failure rate is 12.3%, above 10%\n${BASE}/alerts/${ID}`,
    ],
    [
      "alert.resolved",
      { metric: "queue_depth", value: null, threshold: 1 },
      `✅ it is resolved: queue depth has no data\n${BASE}/alerts/${ID}`,
    ],
    ["task.created", {}, null],
  ])("say what %s with %o means", (type, data, text) => {
    expect(say(type, data)).toBe(text);
  });

  it("are one line of what others wrote, which calls nobody and is no link and no format", () => {
    const hostile =
      "<!channel> @everyone @here\n[safe](https://evil.example) *b* `c`\u202E <https://evil.example|x>";
    const text = say("agent.offline", {}, hostile) ?? "";
    expect(text.split("\n")).toHaveLength(2);
    expect(text).not.toMatch(/[<>]|@[a-z]|\]\(|\*b|`c|\u202E|\|x/);
    expect(text).toContain("&lt;!");
  });

  it.each([
    "https://evil.example/log-in",
    "HTTP://evil.example",
    "see:ftp://evil.example",
    "WWW.evil.example",
  ])("make no link of %s, which chats make of bare addresses", (address) => {
    const text = say("message.created", { kind: "question" }, `Log in again: ${address}`) ?? "";
    const [line = "", own] = text.split("\n");
    expect(line).not.toMatch(/\w:\/\/|\bwww\./i);
    expect(line.replaceAll("\u200B", "")).toContain(address);
    expect(own).toBe(`${BASE}/inbox/${ID}`);
  });

  it("name what was deleted as its event does", () => {
    expect(say("alert.resolved", { name: "Queue" }, null)).toContain("✅ Queue is resolved");
    expect(say("agent.offline", {}, null)).toContain(`🔌 ${ID} is offline`);
  });

  it("leave the names of actions as they are", () => {
    expect(say("approval.requested", {}, "github.delete_branch")).toContain(": github.delete_branch\n");
    expect(say("approval.requested", {}, "an _important_ one")).not.toContain("_important_ ");
  });

  it("are short, with whole characters", () => {
    const [line = ""] = (say("agent.offline", {}, "👷".repeat(5000)) ?? "").split("\n");
    expect(Array.from(line).length).toBeLessThan(220);
    expect(line.isWellFormed()).toBe(true);
    expect(line).toContain("…");
  });

  it("are chosen by types and what types begin with", () => {
    expect(listChatTypes(["*"])).toEqual(CHAT_EVENT_TYPES);
    expect(listChatTypes(["alert.*", "agent.offline", "task.created"])).toEqual([
      "agent.offline",
      "alert.fired",
      "alert.resolved",
    ]);
  });
});
