import type { Ctx, Services } from "../domain/kernel/context.ts";
import type { SessionServices } from "./sessions/session-services.ts";

/** The services that a context was opened with, as verbs that deal in passwords need them. */
export function getSessionServices({ services }: Ctx): SessionServices {
  if (hasSessionServices(services)) return services;
  throw new Error("the context was opened without the services of auth");
}

function hasSessionServices(services: Services): services is SessionServices {
  return "passwords" in services && "sessions" in services;
}
