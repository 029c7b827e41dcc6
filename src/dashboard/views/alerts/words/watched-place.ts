import type { ShownAlert } from "../alert-fields.ts";

/** The path of the view that shows what a rule watches, narrowed as far as it can be. */
export function getWatchedPlace({
  metric,
  agentUuid,
  queue,
}: Pick<ShownAlert, "metric" | "agentUuid" | "queue">): string {
  const own = { ...(queue !== null && { queue }), ...(agentUuid !== null && { agent: agentUuid }) };
  switch (metric) {
    case "TASK_FAILURE_RATE":
      return toPath("/tasks", { status: "FAILED", ...own });
    case "QUEUE_DEPTH":
    case "QUEUE_AGE":
      return toPath("/tasks", { status: "SUBMITTED", ...own });
    case "QUESTIONS_WAITING":
    case "QUESTION_AGE":
      return "/tasks?status=INPUT_REQUIRED";
    case "APPROVALS_WAITING":
    case "APPROVAL_AGE":
      return "/approvals";
    case "COST_USD":
      return "/costs";
    case "COMMAND_ACK_P95":
      return toPath("/commands", own);
    case "AGENTS_OFFLINE":
    case "ROBOTS_OFFLINE":
      return agentUuid === null
        ? toPath("/agents", { presence: "OFFLINE", kind: metric === "AGENTS_OFFLINE" ? "SOFTWARE" : "ROBOT" })
        : `/agents/${agentUuid}`;
  }
}

function toPath(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}
