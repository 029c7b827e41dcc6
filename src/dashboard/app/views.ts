import type { IconName } from "../ui/icon/icon-names.ts";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export type View = {
  /** The view's path. The view handles all paths below it. */
  path: string;
  label: string;
  icon: IconName;
  Component: LazyExoticComponent<ComponentType>;
};

/** All views in navigation order. The server must know their paths: DASHBOARD_PLACES. */
export const VIEWS: readonly View[] = [
  {
    path: "/",
    label: "Now",
    icon: "house",
    Component: lazyView(async () => (await import("../views/now/now-view.tsx")).NowView),
  },
  {
    path: "/approvals",
    label: "Approvals",
    icon: "stamp",
    Component: lazyView(async () => (await import("../views/approvals/approvals-view.tsx")).ApprovalsView),
  },
  {
    path: "/alerts",
    label: "Alerts",
    icon: "bell-ring",
    Component: lazyView(async () => (await import("../views/alerts/alerts-view.tsx")).AlertsView),
  },
  {
    path: "/agents",
    label: "Agents",
    icon: "bot",
    Component: lazyView(async () => (await import("../views/agents/agents-view.tsx")).AgentsView),
  },
  {
    path: "/tasks",
    label: "Tasks",
    icon: "list-checks",
    Component: lazyView(async () => (await import("../views/tasks/tasks-view.tsx")).TasksView),
  },
  {
    path: "/commands",
    label: "Commands",
    icon: "terminal",
    Component: lazyView(async () => (await import("../views/commands/commands-view.tsx")).CommandsView),
  },
  {
    path: "/conversations",
    label: "Conversations",
    icon: "messages-square",
    Component: lazyView(
      async () => (await import("../views/conversations/conversations-view.tsx")).ConversationsView,
    ),
  },
  {
    path: "/traces",
    label: "Traces",
    icon: "waypoints",
    Component: lazyView(async () => (await import("../views/traces/traces-view.tsx")).TracesView),
  },
  {
    path: "/costs",
    label: "Costs",
    icon: "coins",
    Component: lazyView(async () => (await import("../views/costs/costs-view.tsx")).CostsView),
  },
  {
    path: "/robots",
    label: "Robots",
    icon: "truck",
    Component: lazyView(async () => (await import("../views/robots/robots-view.tsx")).RobotsView),
  },
  {
    path: "/missions",
    label: "Missions",
    icon: "route",
    Component: lazyView(async () => (await import("../views/missions/missions-view.tsx")).MissionsView),
  },
  {
    path: "/evaluations",
    label: "Evaluations",
    icon: "flask-conical",
    Component: lazyView(
      async () => (await import("../views/evaluations/evaluations-view.tsx")).EvaluationsView,
    ),
  },
  {
    path: "/policies",
    label: "Policies",
    icon: "scroll-text",
    Component: lazyView(async () => (await import("../views/policies/policies-view.tsx")).PoliciesView),
  },
  {
    path: "/decisions",
    label: "Decisions",
    icon: "scale",
    Component: lazyView(async () => (await import("../views/decisions/decisions-view.tsx")).DecisionsView),
  },
  {
    path: "/executions",
    label: "Executions",
    icon: "play",
    Component: lazyView(async () => (await import("../views/executions/executions-view.tsx")).ExecutionsView),
  },
  {
    path: "/mcp-servers",
    label: "MCP servers",
    icon: "server",
    Component: lazyView(
      async () => (await import("../views/mcp-servers/mcp-servers-view.tsx")).McpServersView,
    ),
  },
  {
    path: "/budgets",
    label: "Budgets",
    icon: "wallet",
    Component: lazyView(async () => (await import("../views/budgets/budgets-view.tsx")).BudgetsView),
  },
  {
    path: "/connect",
    label: "Connect an agent",
    icon: "plug",
    Component: lazyView(async () => (await import("../views/connect/connect-view.tsx")).ConnectView),
  },
];

function lazyView(load: () => Promise<ComponentType>): View["Component"] {
  return lazy(async () => ({ default: await load() }));
}
