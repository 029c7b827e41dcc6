import { type ComponentType, createElement } from "react";
import { Busy } from "../ui/busy.tsx";
import type { IconName } from "../ui/icon/icon-names.ts";
import { type LazyComponent, lazyComponent } from "../ui/lazy-component.tsx";

export type View = {
  /** The view's path. The view handles all paths below it. */
  path: string;
  label: string;
  icon: IconName;
  /** The letter that opens it after `g`, or null. */
  letter: string | null;
  Component: LazyComponent<object>;
};

/** All views in navigation order. The server must know their paths: DASHBOARD_PLACES. */
export const VIEWS: readonly View[] = [
  {
    path: "/",
    label: "Now",
    icon: "house",
    letter: "n",
    Component: lazyView(async () => (await import("../views/now/now-view.tsx")).NowView),
  },
  {
    path: "/inbox",
    label: "Inbox",
    icon: "inbox",
    letter: "i",
    Component: lazyView(async () => (await import("../views/inbox/inbox-view.tsx")).InboxView),
  },
  {
    path: "/approvals",
    label: "Approvals",
    icon: "stamp",
    letter: "p",
    Component: lazyView(async () => (await import("../views/approvals/approvals-view.tsx")).ApprovalsView),
  },
  {
    path: "/alerts",
    label: "Alerts",
    icon: "bell-ring",
    letter: "l",
    Component: lazyView(async () => (await import("../views/alerts/alerts-view.tsx")).AlertsView),
  },
  {
    path: "/agents",
    label: "Agents",
    icon: "bot",
    letter: "a",
    Component: lazyView(async () => (await import("../views/agents/agents-view.tsx")).AgentsView),
  },
  {
    path: "/tasks",
    label: "Tasks",
    icon: "list-checks",
    letter: "t",
    Component: lazyView(async () => (await import("../views/tasks/tasks-view.tsx")).TasksView),
  },
  {
    path: "/commands",
    label: "Commands",
    icon: "terminal",
    letter: "c",
    Component: lazyView(async () => (await import("../views/commands/commands-view.tsx")).CommandsView),
  },
  {
    path: "/conversations",
    label: "Conversations",
    icon: "messages-square",
    letter: "v",
    Component: lazyView(
      async () => (await import("../views/conversations/conversations-view.tsx")).ConversationsView,
    ),
  },
  {
    path: "/traces",
    label: "Traces",
    icon: "waypoints",
    letter: "r",
    Component: lazyView(async () => (await import("../views/traces/traces-view.tsx")).TracesView),
  },
  {
    path: "/costs",
    label: "Costs",
    icon: "coins",
    letter: "o",
    Component: lazyView(async () => (await import("../views/costs/costs-view.tsx")).CostsView),
  },
  {
    path: "/robots",
    label: "Robots",
    icon: "truck",
    letter: "b",
    Component: lazyView(async () => (await import("../views/robots/robots-view.tsx")).RobotsView),
  },
  {
    path: "/missions",
    label: "Missions",
    icon: "route",
    letter: "m",
    Component: lazyView(async () => (await import("../views/missions/missions-view.tsx")).MissionsView),
  },
  {
    path: "/evaluations",
    label: "Evaluations",
    icon: "flask-conical",
    letter: "e",
    Component: lazyView(
      async () => (await import("../views/evaluations/evaluations-view.tsx")).EvaluationsView,
    ),
  },
  {
    path: "/policies",
    label: "Policies",
    icon: "scroll-text",
    letter: "y",
    Component: lazyView(async () => (await import("../views/policies/policies-view.tsx")).PoliciesView),
  },
  {
    path: "/decisions",
    label: "Decisions",
    icon: "scale",
    letter: "d",
    Component: lazyView(async () => (await import("../views/decisions/decisions-view.tsx")).DecisionsView),
  },
  {
    path: "/executions",
    label: "Executions",
    icon: "play",
    letter: "x",
    Component: lazyView(async () => (await import("../views/executions/executions-view.tsx")).ExecutionsView),
  },
  {
    path: "/mcp-servers",
    label: "MCP servers",
    icon: "server",
    letter: "s",
    Component: lazyView(
      async () => (await import("../views/mcp-servers/mcp-servers-view.tsx")).McpServersView,
    ),
  },
  {
    path: "/budgets",
    label: "Budgets",
    icon: "wallet",
    letter: "u",
    Component: lazyView(async () => (await import("../views/budgets/budgets-view.tsx")).BudgetsView),
  },
  {
    path: "/connect",
    label: "Connect an agent",
    icon: "plug",
    letter: null,
    Component: lazyView(async () => (await import("../views/connect/connect-view.tsx")).ConnectView),
  },
];

/** The view that handles a path. */
export function findView(path: string): View | undefined {
  const first = `/${path.split("/")[1] ?? ""}`;
  return VIEWS.find((view) => view.path === first);
}

function lazyView(load: () => Promise<ComponentType>): View["Component"] {
  return lazyComponent(load, createElement(Busy, { isBusy: true, lines: 8 }));
}
