import type { Ctx } from "../domain/kernel/context.ts";
import type { Services } from "../domain/kernel/services.ts";
import type { SessionServices } from "./sessions/session-services.ts";

/**
 * Returns the services of a context, for use cases that handle passwords.
 *
 * @throws if the context was created without them.
 */
export function getSessionServices({ services }: Ctx): SessionServices {
  if (hasSessionServices(services)) return services;
  throw new Error("the context has no session services");
}

function hasSessionServices(services: Services): services is SessionServices {
  return "passwords" in services && "sessions" in services;
}
