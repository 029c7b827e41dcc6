import { DomainError } from "../../src/domain/kernel/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { agentCommandWorkRoutes } from "./agent-commands/agent-command-work.ts";
import { agentControlRoutes } from "./agents/agent-control.ts";
import { agentCommandRoutes } from "./agent-commands/agent-commands.ts";
import { agentTokenRoutes } from "./agents/agent-tokens.ts";
import { agentRoutes } from "./agents/agents.ts";
import { emergencyStopRoutes } from "./operators/emergency-stop.ts";
import { stopRoutes } from "./operators/stops.ts";
import { evalComparisonRoutes } from "./eval-runs/eval-comparison.ts";
import { evalResultRoutes } from "./eval-runs/eval-results.ts";
import { evalRunWorkRoutes } from "./eval-runs/eval-run-work.ts";
import { evalRunRoutes } from "./eval-runs/eval-runs.ts";
import { eventRoutes } from "./events/events.ts";
import { decisionRoutes } from "./gateway/decisions.ts";
import { approvalRoutes } from "./gateway/approvals.ts";
import { operatorApprovalRoutes } from "./gateway/operator-approvals.ts";
import { gatewayEntityRoutes } from "./gateway/gateway-entities.ts";
import { budgetReservationRoutes } from "./gateway/budget-reservations.ts";
import { budgetRoutes } from "./gateway/budgets.ts";
import { executionReportRoutes } from "./gateway/execution-reports.ts";
import { executionRoutes } from "./gateway/executions.ts";
import { gatewayCheckRoutes } from "./gateway/gateway-check.ts";
import { type RestApp, type RestServices, createRestApp } from "./shared/rest-app.ts";
import { operatorExecutionRoutes } from "./gateway/operator-executions.ts";
import { messageRoutes } from "./messages/messages.ts";
import { missionProgressRoutes } from "./missions/mission-progress.ts";
import { missionSteeringRoutes } from "./missions/mission-steering.ts";
import { missionRoutes } from "./missions/missions.ts";
import { describeApi } from "./openapi/openapi.ts";
import { answerError } from "./shared/answer-error.ts";
import { robotReportRoutes } from "./robots/robot-reports.ts";
import { robotRoutes } from "./robots/robots.ts";
import { socketTokenRoutes } from "./tokens/socket-tokens.ts";
import { taskClaimRoutes } from "./tasks/task-claim.ts";
import { taskSettleRoutes } from "./tasks/task-settle.ts";
import { taskRoutes } from "./tasks/tasks.ts";
import { scoreRoutes } from "./traces/scores.ts";
import { traceExportRoutes } from "./traces/trace-export.ts";
import { traceRoutes } from "./traces/traces.ts";
import { usageRoutes } from "./usage/usage.ts";
import { tokenRoutes } from "./tokens/tokens.ts";
import { whoamiRoutes } from "./tokens/whoami.ts";

const RESOURCES = [
  agentTokenRoutes,
  socketTokenRoutes,
  tokenRoutes,
  whoamiRoutes,
  agentRoutes,
  agentControlRoutes,
  emergencyStopRoutes,
  stopRoutes,
  messageRoutes,
  taskRoutes,
  taskClaimRoutes,
  taskSettleRoutes,
  evalRunRoutes,
  evalRunWorkRoutes,
  evalResultRoutes,
  evalComparisonRoutes,
  agentCommandWorkRoutes,
  agentCommandRoutes,
  robotReportRoutes,
  robotRoutes,
  missionRoutes,
  missionSteeringRoutes,
  missionProgressRoutes,
  gatewayCheckRoutes,
  budgetReservationRoutes,
  budgetRoutes,
  executionRoutes,
  executionReportRoutes,
  operatorExecutionRoutes,
  gatewayEntityRoutes,
  approvalRoutes,
  operatorApprovalRoutes,
  decisionRoutes,
  traceRoutes,
  scoreRoutes,
  traceExportRoutes,
  usageRoutes,
  eventRoutes,
];

export function restApi(services: RestServices): RestApp {
  const api = createRestApp();
  for (const createRoutes of RESOURCES) api.route("/", createRoutes(services));
  describeApi(api);
  refuseOtherMethods(api, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, { allow }),
  );
  api.all("*", (c) => answerError(new DomainError("not_found", "This path doesn't exist."), c));
  api.onError((error, c) => answerError(error, c));
  return api;
}
