import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export type View = {
  /** The view's path. The view handles all paths below it. */
  path: string;
  label: string;
  Component: LazyExoticComponent<ComponentType>;
};

/** All views in navigation order. The server must know their paths: DASHBOARD_PLACES. */
export const VIEWS: readonly View[] = [
  view("/", "Now", async () => (await import("../views/now/now-view.tsx")).NowView),
  view(
    "/approvals",
    "Approvals",
    async () => (await import("../views/approvals/approvals-view.tsx")).ApprovalsView,
  ),
  view("/alerts", "Alerts", async () => (await import("../views/alerts/alerts-view.tsx")).AlertsView),
  view("/agents", "Agents", async () => (await import("../views/agents/agents-view.tsx")).AgentsView),
  view("/tasks", "Tasks", async () => (await import("../views/tasks/tasks-view.tsx")).TasksView),
  view(
    "/commands",
    "Commands",
    async () => (await import("../views/commands/commands-view.tsx")).CommandsView,
  ),
  view(
    "/conversations",
    "Conversations",
    async () => (await import("../views/conversations/conversations-view.tsx")).ConversationsView,
  ),
  view("/traces", "Traces", async () => (await import("../views/traces/traces-view.tsx")).TracesView),
  view("/costs", "Costs", async () => (await import("../views/costs/costs-view.tsx")).CostsView),
  view("/robots", "Robots", async () => (await import("../views/robots/robots-view.tsx")).RobotsView),
  view(
    "/missions",
    "Missions",
    async () => (await import("../views/missions/missions-view.tsx")).MissionsView,
  ),
  view(
    "/evaluations",
    "Evaluations",
    async () => (await import("../views/evaluations/evaluations-view.tsx")).EvaluationsView,
  ),
  view(
    "/policies",
    "Policies",
    async () => (await import("../views/policies/policies-view.tsx")).PoliciesView,
  ),
  view(
    "/decisions",
    "Decisions",
    async () => (await import("../views/decisions/decisions-view.tsx")).DecisionsView,
  ),
  view(
    "/executions",
    "Executions",
    async () => (await import("../views/executions/executions-view.tsx")).ExecutionsView,
  ),
  view(
    "/mcp-servers",
    "MCP servers",
    async () => (await import("../views/mcp-servers/mcp-servers-view.tsx")).McpServersView,
  ),
  view("/budgets", "Budgets", async () => (await import("../views/budgets/budgets-view.tsx")).BudgetsView),
  view(
    "/connect",
    "Connect an agent",
    async () => (await import("../views/connect/connect-view.tsx")).ConnectView,
  ),
];

function view(path: string, label: string, load: () => Promise<ComponentType>): View {
  return { path, label, Component: lazy(async () => ({ default: await load() })) };
}
