import { DomainError } from "../../src/domain/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { bulkRoutes } from "./bulk.ts";
import { discoveryRoutes } from "./discovery.ts";
import { type ScimApp, type ScimServices, authenticated, createScimApp, limitBody } from "./face.ts";
import { GROUPS } from "./groups.ts";
import { refuse } from "./refuse.ts";
import { resourceRoutes } from "./resource-routes.ts";
import { searchRoutes } from "./search.ts";
import { USERS } from "./users.ts";

/** The whole of /scim/v2. @see RFC 7644, 3.2. */
export function scimApi(services: ScimServices): ScimApp {
  const api = createScimApp();
  api.onError((error, c) => refuse(error, c));
  api.use("*", authenticated(services), limitBody);
  for (const routes of [
    searchRoutes(),
    discoveryRoutes(),
    bulkRoutes(),
    resourceRoutes(USERS),
    resourceRoutes(GROUPS),
  ]) {
    api.route("/", routes);
  }
  // Nobody is logged in by a SCIM token. @see RFC 7644, 3.11.
  api.all("/Me", (c) => refuse(new DomainError("not_implemented", "A SCIM token is nobody's own."), c));
  refuseOtherMethods(api, (allow, c) =>
    refuse(new DomainError("method_not_allowed", `This path answers ${allow}.`), c, { allow }),
  );
  api.all("*", (c) => refuse(new DomainError("not_found", "There is no such path."), c));
  return api;
}
