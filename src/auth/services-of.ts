import type { Ctx, Services } from "../domain/context.ts";
import type { SessionServices } from "./sessions/session-services.ts";

/** The services that a context was opened with, as verbs that deal in passwords need them. */
export function servicesOf({ services }: Ctx): SessionServices {
  if (isWhole(services)) return services;
  throw new Error("the context was opened without the services of auth");
}

function isWhole(services: Services): services is SessionServices {
  return "passwords" in services && "sessions" in services;
}
