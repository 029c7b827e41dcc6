import { toWords } from "../../../../ui/words.ts";
import { type FirstError, listSpans } from "./list-spans.ts";
import { toSentence } from "./task-sentence.ts";
import type { TimeLineItem } from "./time-line-item.ts";
import type { AroundTask, TimeLineTrace } from "./time-line-query.ts";

export type TimeLine = {
  /** In the order in which they began. */
  items: TimeLineItem[];
  /** Spans that are only in the traces. */
  hidden: number;
  firstError: FirstError | null;
  fromMs: number;
  /** When the last thing happened that is known, but for scores. */
  toMs: number;
};

/** Puts together what happened around a task. */
export function buildTimeLine(around: AroundTask): TimeLine {
  const { items: spans, hidden, firstError } = listSpans(listTraces(around));
  const items = [
    ...around.subjectEvents.map(toTaskItem),
    ...spans,
    ...around.decisions.nodes.map(toDecisionItem),
    ...around.approvals.nodes.map(toApprovalItem),
    ...listQuestions(around.messages.nodes),
    ...around.agentCommands.nodes.map(toCommandItem),
  ].toSorted((a, b) => a.fromMs - b.fromMs);
  const fromMs = items[0]?.fromMs ?? 0;
  // Scores come late, and would press all the rest together.
  const toMs = items
    .filter(({ kind }) => kind !== "score")
    .reduce((last, item) => Math.max(last, item.toMs ?? item.fromMs), fromMs);
  return { items, hidden, firstError, fromMs, toMs };
}

/** Its own trace may also name it. */
function listTraces({ traces, node }: AroundTask): TimeLineTrace[] {
  const own = node !== null && "traceId" in node ? [node] : [];
  return [...own, ...traces.nodes.filter(({ id }) => id !== own[0]?.id)];
}

function toTaskItem(event: AroundTask["subjectEvents"][number]): TimeLineItem {
  const { type, name } = event.actor;
  const by = type === "SYSTEM" ? "Agent Ops" : name;
  const at = Date.parse(event.occurredAt);
  const chip = event.type === "task.failed" ? (["failed", "bad"] as const) : null;
  return {
    key: event.id,
    kind: event.type.startsWith("trace.") ? "score" : "task",
    text: `${toSentence(event)} · ${by}`,
    href: null,
    chip,
    fromMs: at,
    toMs: at,
  };
}

const OUTCOMES = { ALLOW: ["allowed", "good"], DENY: ["denied", "bad"], ASK: ["asked", "warn"] } as const;

function toDecisionItem(decision: AroundTask["decisions"]["nodes"][number]): TimeLineItem {
  const at = Date.parse(decision.createdAt);
  return {
    key: decision.id,
    kind: "decision",
    text: `${decision.action} ${decision.resourceId}`,
    href: `/decisions/${decision.uuid}`,
    chip: OUTCOMES[decision.outcome],
    fromMs: at,
    toMs: at,
  };
}

const APPROVALS = {
  PENDING: ["waiting", "warn"],
  APPROVED: ["approved", "good"],
  DENIED: ["denied", "bad"],
  EXPIRED: ["expired", "plain"],
  CANCELLED: ["cancelled", "plain"],
} as const;

function toApprovalItem(approval: AroundTask["approvals"]["nodes"][number]): TimeLineItem {
  const { status, decidedAt } = approval;
  const fromMs = Date.parse(approval.createdAt);
  const endMs = decidedAt === null ? fromMs : Date.parse(decidedAt);
  return {
    key: approval.id,
    kind: "approval",
    text: `May it? ${approval.action} ${approval.resourceId}`,
    href: `/approvals/${approval.uuid}`,
    chip: APPROVALS[status],
    fromMs,
    toMs: status === "PENDING" ? null : endMs,
  };
}

/** Questions last until they are answered. */
function listQuestions(messages: AroundTask["messages"]["nodes"]): TimeLineItem[] {
  const answers = new Map(messages.map(({ uuid, createdAt }) => [uuid, Date.parse(createdAt)]));
  return messages.flatMap((message): TimeLineItem[] => {
    if (message.kind !== "QUESTION") return [];
    const fromMs = Date.parse(message.createdAt);
    const { answeredByUuid } = message;
    const chip = answeredByUuid === null ? (["open", "warn"] as const) : (["answered", "good"] as const);
    const endMs = answeredByUuid === null ? null : (answers.get(answeredByUuid) ?? fromMs);
    return [
      {
        key: message.id,
        kind: "question",
        text: `${message.sender.name} asks`,
        href: null,
        chip,
        fromMs,
        toMs: endMs,
      },
    ];
  });
}

function toCommandItem(command: AroundTask["agentCommands"]["nodes"][number]): TimeLineItem {
  const { uuid, type, status, createdAt, finishedAt } = command;
  return {
    key: command.id,
    kind: "command",
    text: type,
    href: `/commands/${uuid}`,
    chip: [toWords(status), status === "FAILED" ? "bad" : "plain"],
    fromMs: Date.parse(createdAt),
    toMs: finishedAt === null ? null : Date.parse(finishedAt),
  };
}
