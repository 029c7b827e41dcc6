import { DomainError } from "../../src/domain/errors.ts";
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
  refuseOtherMethods(api);
  api.all("*", (c) => refuse(new DomainError("not_found", "There is no such path."), c));
  return api;
}

/** A path that exists answers every method: one that it does not know with 405 and those that it does. */
function refuseOtherMethods(api: ScimApp): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of api.routes) {
    if (method !== "ALL") methods.set(path, (methods.get(path) ?? new Set<string>()).add(method));
  }
  for (const [path, known] of methods) {
    if (known.has("GET")) known.add("HEAD");
    const allow = [...known].toSorted().join(", ");
    api.all(path, (c) => {
      const error = new DomainError("method_not_allowed", `This path answers ${allow}.`);
      return refuse(error, c, { allow });
    });
  }
}
