import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { toWords } from "../../../ui/words.ts";
import type { RecentEvent } from "./recent-events.ts";

/** An event as a sentence: `before`, a link to its subject, and `after`. */
export type Sentence = { before: string; what: string; href: string | null; after: string };

/** Paths of subjects with a view of their own. */
const PLACES: Readonly<Record<string, string>> = {
  agent: "/agents/",
  alert_rule: "/alerts/",
  approval: "/approvals/",
  agent_command: "/commands/",
  eval_run: "/evaluations/",
  mcp_server: "/mcp-servers/",
  mission: "/missions/",
  policy: "/policies/",
  robot: "/robots/",
  task: "/tasks/",
  trace: "/traces/",
};

/** Templates for types with a special sentence. Others read like "billing-bot completed Refund order 42". */
const SENTENCES: Readonly<Record<string, string>> = {
  "agent.online": "{what} is online",
  "agent.stale": "{what} has been silent for a minute",
  "agent.offline": "{what} is offline",
  "agent.control_state_changed": "{who} changed the control state of {what}",
  "agent_command.created": "{who} issued {what}",
  "agent_command.finished": "{what} finished",
  "alert.fired": "The alert {what} fires",
  "alert.resolved": "The alert {what} is resolved",
  "approval.requested": "{who} asks for approval of {what}",
  "approval.reviewed": "{who} approved {what}, somebody else has to as well",
  "approval.decided": "{who} decided about {what}",
  "approval.expired": "Nobody decided about {what} in time",
  "eval_run.baseline_promoted": "{who} made {what} the baseline",
  "eval_run.regressed": "{what} is worse than its baseline",
  "eval_run.results_added": "{who} added results to {what}",
  "mcp_server.credential_changed": "{who} changed the credential of {what}",
  "mcp_server.health_changed": "The health of {what} changed",
  "mcp_tool.changed": "The tool {what} was changed by its server",
  "mcp_tool.gone": "The tool {what} is gone",
  "mcp_tool.pending": "The tool {what} is new",
  "mcp_tool.reviewed": "{who} reviewed the tool {what}",
  "mcp_tool.seen": "The tool {what} was read again",
  "message.created": "{who} wrote {what}",
  "mission.cancel_requested": "{who} asked to cancel {what}",
  "robot.offline": "{what} has gone silent",
  "robot.state_changed": "{what} changed its state",
  "stop.started": "{who} stopped agents",
  "stop.resumed": "{who} resumed agents of a stop",
  "stop.released": "{who} released a stop",
  "task.cancel_requested": "{who} asked to cancel {what}",
  "task.lease_expired": "{what} was released after its lease expired",
  "trace.score_deleted": "{who} deleted a score of {what}",
  "workspace.traces_deleted": "{who} deleted traces of {what}",
  "workspace.emergency_stopped": "{who} stopped all agents of {what}",
  "workspace.emergency_stop_released": "{who} released the emergency stop of {what}",
};

export function toSentence(event: RecentEvent): Sentence {
  const { type, subjectType, subjectUuid, subjectLabel, actor } = event;
  const place = PLACES[subjectType];
  const template = SENTENCES[type] ?? `{who} ${toWords(type.split(".")[1] ?? "")} {what}`;
  const who = actor.type === "SYSTEM" ? "Agent Ops" : actor.name;
  const [before = "", after = ""] = template.replace("{who}", who).split("{what}");
  return {
    before,
    what: subjectLabel === null ? addArticle(toWords(subjectType)) : quote(subjectType, subjectLabel),
    href: place === undefined ? null : place + toPathId(subjectType, subjectUuid),
    after: after + formatStatus(event),
  };
}

/** Traces are named as in telemetry. */
function toPathId(subjectType: string, uuid: string): string {
  return subjectType === "trace" ? uuid.replaceAll("-", "") : uuid;
}

/** The new status, for an update. */
function formatStatus({ type, data }: RecentEvent): string {
  if (!type.endsWith(".updated") || typeof data !== "object" || data === null) return "";
  return "status" in data && typeof data.status === "string" ? `: ${toWords(data.status)}` : "";
}

/** Quotes a message's text. Names may come from anybody. */
function quote(subjectType: string, label: string): string {
  const shown = toVisibleText(label, "\n");
  return subjectType === "message" ? `“${shown}”` : shown;
}

/** Nouns for subjects without a name, if the type alone doesn't read well. */
const NOUNS: Readonly<Record<string, string>> = {
  "agent command": "a command",
  "api key": "an API key",
  "eval run": "an evaluation run",
  "mcp server": "an MCP server",
  "mcp tool": "of an MCP server",
  "scim token": "a SCIM token",
  workspace: "the workspace",
};

function addArticle(noun: string): string {
  const known = NOUNS[noun];
  if (known !== undefined) return known;
  return `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}
