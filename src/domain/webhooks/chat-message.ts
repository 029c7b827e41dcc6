import { AlertMetric } from "../../db/generated/enums.ts";
import { formatMetric, nameMetric } from "../alerts/format-metric.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import { isObject } from "../kernel/is-object.ts";

/** What a message says about an event, and the dashboard's path that shows more. */
export type ChatMessage = { text: string; path: string };

/** The data of the event, its actor's name, and its subject's. */
type Told = { data: Record<string, unknown>; by: string; name: string; event: StoredEvent };

/** The messages by type of event. Null if people need not know. */
const MESSAGES: Readonly<Record<string, (told: Told) => ChatMessage | null>> = {
  "message.created": ({ data, by, name, event }) =>
    data.kind === "question" ? { text: `❓ ${by} asks: ${name}`, path: `/inbox/${event.subjectId}` } : null,
  "approval.requested": ({ by, name, event }) => ({
    text: `✋ ${by} waits for approval: ${name}`,
    path: `/approvals/${event.subjectId}`,
  }),
  "agent.offline": ({ name, event }) => ({
    text: `🔌 ${name} is offline`,
    path: `/agents/${event.subjectId}`,
  }),
  "robot.state_changed": ({ data, name, event }) =>
    data.status === "error" ? { text: `🤖 ${name} is in error`, path: `/robots/${event.subjectId}` } : null,
  "eval_run.completed": ({ data, name, event }) =>
    data.verdict === "failed"
      ? { text: `🧪 The evaluation ${name} failed its gate`, path: `/evaluations/${event.subjectId}` }
      : null,
  "stop.started": ({ data, by }) => ({
    text: `🛑 Emergency stop of ${describeScope(data)} by ${by}: ${plain(String(data.reason))}`,
    path: "/",
  }),
  "stop.released": ({ by }) => ({ text: `▶️ ${by} released an emergency stop`, path: "/" }),
  "alert.fired": ({ data, name, event }) => ({
    text: `🔥 ${name}: ${describeValue(data)}${describeThreshold(data)}`,
    path: `/alerts/${event.subjectId}`,
  }),
  "alert.resolved": ({ data, name, event }) => ({
    text: `✅ ${name} is resolved: ${describeValue(data)}`,
    path: `/alerts/${event.subjectId}`,
  }),
};

/** The types of events of which chats are told. */
export const CHAT_EVENT_TYPES: readonly string[] = Object.keys(MESSAGES);

/** Those of them that are asked for, by types such as `alert.fired`, `alert.*` and `*`. */
export function listChatTypes(asked: readonly string[]): string[] {
  return CHAT_EVENT_TYPES.filter((type) =>
    asked.some((one) => (one.endsWith("*") ? type.startsWith(one.slice(0, -1)) : type === one)),
  );
}

const NAME_LENGTH = 200;
/** Invisible. What follows neither calls people nor is a link or a format. */
const BREAK = "\u200B";
/** What formats, links or calls people, also a bare address. Names such as `delete_branch` stay as they are. */
const MARKS = /[@#*~`[\]|!\\]|:(?=\/\/)|\bwww(?=\.)|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_/giu;

/**
 * The message of an event, in plain text; null if people need not know. `label` is its subject's name; of one that was
 * deleted the event may have it.
 */
export function describeForChat(event: StoredEvent, label: string | null): ChatMessage | null {
  const data = isObject(event.data) ? event.data : {};
  const by = plain(event.actor.name);
  const name = plain(label ?? (typeof data.name === "string" ? data.name : event.subjectId));
  return MESSAGES[event.type]?.({ data, by, name, event }) ?? null;
}

/**
 * Writes a message in the form of Slack's incoming webhooks, which Mattermost and Discord take too.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
export function renderChatMessage({ text, path }: ChatMessage, baseUrl: string): string {
  return JSON.stringify({ text: `${escape(text)}\n${baseUrl}${path}` });
}

/** Writes a message with which people try a chat. */
export function renderChatTest(by: string): string {
  return JSON.stringify({ text: escape(`👋 A test by ${plain(by)}: messages arrive here.`) });
}

function describeScope({ kind, labels }: Record<string, unknown>): string {
  const whose = kind === "robot" ? "robots" : kind === "software" ? "software agents" : "agents";
  const named = isObject(labels)
    ? Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`)
    : [];
  return named.length === 0 ? `all ${whose}` : `${whose} with ${plain(named.join(", "))}`;
}

function describeValue({ metric, value }: Record<string, unknown>): string {
  if (!isMetric(metric)) return "";
  return `${nameMetric(metric)} ${typeof value === "number" ? `is ${formatMetric(metric, value)}` : "has no data"}`;
}

function describeThreshold({ metric, threshold }: Record<string, unknown>): string {
  return isMetric(metric) && typeof threshold === "number"
    ? `, above ${formatMetric(metric, threshold)}`
    : "";
}

function isMetric(metric: unknown): metric is AlertMetric {
  return typeof metric === "string" && Object.hasOwn(AlertMetric, metric);
}

/** Text of others as one short line, which calls nobody and looks like nothing else in any of the chats. */
function plain(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  // A character has one or two units.
  const start = Array.from(line.slice(0, 2 * (NAME_LENGTH + 1)));
  const short = start.length > NAME_LENGTH ? `${start.slice(0, NAME_LENGTH - 1).join("")}…` : line;
  return short.replaceAll(MARKS, (mark) => `${mark}${BREAK}`);
}

/** As Slack requires it. */
function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
