import { DomainError } from "../../src/domain/kernel/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { bulkRoutes } from "./bulk.ts";
import { discoveryRoutes } from "./discovery.ts";
import {
  type ScimApp,
  type ScimServices,
  authenticateRequest,
  createScimApp,
  limitScimBody,
} from "./scim-app.ts";
import { AGENT_OPERATIONS } from "./agents.ts";
import { GROUP_OPERATIONS } from "./groups.ts";
import { answerError } from "./answer-error.ts";
import { resourceRoutes } from "./resource-routes.ts";
import { searchRoutes } from "./search.ts";
import { USER_OPERATIONS } from "./users.ts";

/** All routes of /scim/v2. @see RFC 7644, 3.2. */
export function scimApi(services: ScimServices): ScimApp {
  const api = createScimApp();
  api.onError((error, c) => answerError(error, c));
  api.use("*", authenticateRequest(services), limitScimBody(services));
  for (const routes of [
    searchRoutes(),
    discoveryRoutes(),
    bulkRoutes(services),
    resourceRoutes(USER_OPERATIONS),
    resourceRoutes(GROUP_OPERATIONS),
    resourceRoutes(AGENT_OPERATIONS),
  ]) {
    api.route("/", routes);
  }
  // A SCIM token doesn't belong to a user. @see RFC 7644, 3.11.
  api.all("/Me", (c) =>
    answerError(new DomainError("not_implemented", "A SCIM token has no user, so there is no /Me."), c),
  );
  refuseOtherMethods(api, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, { allow }),
  );
  api.all("*", (c) => answerError(new DomainError("not_found", "This path doesn't exist."), c));
  return api;
}
