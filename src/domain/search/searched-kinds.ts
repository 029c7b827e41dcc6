import type { Scope } from "../kernel/scopes.ts";
import { buildControlStateSql } from "../stops/is-stopped.ts";
import { USER_VIEWS } from "../users/user-view.ts";

/** What can be found: the rows of a query as `r`, and what is shown of them, in SQL. */
export type SearchedKind = {
  /** Null: any person. */
  scope: Scope | null;
  from: string;
  name: string;
  status?: string;
  detail?: string;
  /** For those of which a workspace has few: the text that contains each typed word. */
  text?: string;
};

const AGENT = "JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id";

/** A conversation is called as its newest task. */
const CONVERSATIONS = `(SELECT c.workspace_id, c.context_id AS id, c.last_message_at AS created_at, (
    SELECT t.title FROM task t WHERE t.workspace_id = c.workspace_id AND t.context_id = c.context_id
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS title FROM conversation c) r`;

const ASKED = "r.action || ' ' || r.resource_id";

export const SEARCHED_KINDS = {
  agent: {
    scope: "agents:read",
    from: "(SELECT * FROM agent WHERE archived_at IS NULL) r",
    name: "r.name",
    status: `(${buildControlStateSql("r")})::text`,
    detail: "r.handle",
    text: "concat_ws(' ', r.name, r.handle)",
  },
  robot: {
    scope: "robots:read",
    from: `robot r ${AGENT} AND a.archived_at IS NULL`,
    name: "a.name",
    status: "r.status::text",
    detail: "r.model",
    text: "concat_ws(' ', a.name, a.handle, r.manufacturer, r.model, r.serial_number)",
  },
  task: {
    scope: "tasks:read",
    from: "task r",
    name: "r.title",
    status: "r.status::text",
    detail: "r.queue",
  },
  mission: { scope: "missions:read", from: "mission r", name: "r.title", status: "r.status::text" },
  agent_command: {
    scope: "agent_commands:read",
    from: `agent_command r LEFT JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.agent_id`,
    name: "r.type",
    status: "r.status::text",
    detail: "a.name",
  },
  eval_run: {
    scope: "eval_runs:read",
    from: "eval_run r",
    name: "r.name",
    status: "r.status::text",
    detail: "r.suite",
  },
  conversation: { scope: "messages:read", from: CONVERSATIONS, name: "r.title" },
  member: {
    scope: null,
    from: `${USER_VIEWS.name} r`,
    name: "COALESCE(r.name, r.email, r.user_name)",
    detail: "r.email",
    text: "concat_ws(' ', r.name, r.email, r.user_name)",
  },
  policy: { scope: "gateway:read", from: "policy r", name: "r.name", text: "r.name" },
  budget: { scope: "gateway:read", from: "budget r", name: "r.name", text: "r.name" },
  alert_rule: { scope: "events:read", from: "alert_rule r", name: "r.name", text: "r.name" },
  mcp_server: {
    scope: "mcp:read",
    from: "mcp_server r",
    name: "r.name",
    detail: "r.slug",
    text: "concat_ws(' ', r.name, r.slug)",
  },
  decision: { scope: "gateway:read", from: "decision r", name: ASKED, status: "r.outcome::text" },
  approval: { scope: "gateway:read", from: "approval r", name: ASKED, status: "r.status::text" },
  execution: { scope: "gateway:read", from: "execution r", name: ASKED, status: "r.status::text" },
  trace: { scope: "traces:read", from: "trace r", name: "r.root_name", status: "r.status::text" },
} as const satisfies Record<string, SearchedKind>;

export type SearchKind = keyof typeof SEARCHED_KINDS;

// Object.keys() loses the names' types.
export const SEARCH_KINDS = Object.keys(SEARCHED_KINDS) as readonly SearchKind[];
