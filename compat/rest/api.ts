import { DomainError } from "../../src/domain/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { agentCommandWorkRoutes } from "./agent-command-work.ts";
import { agentControlRoutes } from "./agent-control.ts";
import { agentCommandRoutes } from "./agent-commands.ts";
import { agentTokenRoutes } from "./agent-tokens.ts";
import { agentRoutes } from "./agents.ts";
import { emergencyStopRoutes } from "./emergency-stop.ts";
import { evalComparisonRoutes } from "./eval-comparison.ts";
import { evalResultRoutes } from "./eval-results.ts";
import { evalRunWorkRoutes } from "./eval-run-work.ts";
import { evalRunRoutes } from "./eval-runs.ts";
import { eventRoutes } from "./events.ts";
import { type RestApp, type RestServices, createRestApp } from "./face.ts";
import { messageRoutes } from "./messages.ts";
import { missionProgressRoutes } from "./mission-progress.ts";
import { missionSteeringRoutes } from "./mission-steering.ts";
import { missionRoutes } from "./missions.ts";
import { describeApi } from "./openapi.ts";
import { refuse } from "./refuse.ts";
import { robotReportRoutes } from "./robot-reports.ts";
import { robotRoutes } from "./robots.ts";
import { socketTokenRoutes } from "./socket-tokens.ts";
import { taskClaimRoutes } from "./task-claim.ts";
import { taskSettleRoutes } from "./task-settle.ts";
import { taskRoutes } from "./tasks.ts";
import { tokenRoutes } from "./tokens.ts";
import { whoamiRoutes } from "./whoami.ts";

/** The whole of /api/v1. */
export function restApi(services: RestServices): RestApp {
  const api = createRestApp();
  const resources = [
    agentTokenRoutes,
    socketTokenRoutes,
    tokenRoutes,
    whoamiRoutes,
    agentRoutes,
    agentControlRoutes,
    emergencyStopRoutes,
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
    eventRoutes,
  ];
  for (const routesOf of resources) api.route("/", routesOf(services));
  describeApi(api);
  refuseOtherMethods(api, (allow, c) =>
    refuse(new DomainError("method_not_allowed", `This path answers ${allow}.`), c, { allow }),
  );
  api.all("*", (c) => refuse(new DomainError("not_found", "There is no such path."), c));
  api.onError((error, c) => refuse(error, c));
  return api;
}
