import type { Ctx } from "../../domain/kernel/context.ts";
import type { Services } from "../../domain/kernel/services.ts";
import type { Outbound } from "../../http/outbound/outbound.ts";
import type { SealedBox } from "../secrets/sealed-box.ts";
import type { UpstreamTraffic } from "./upstream-traffic.ts";

/** The services of use cases that send requests to servers of others. */
export type UpstreamServices = {
  outbound: Outbound;
  /** Null without a key. */
  sealedBox: SealedBox | null;
  traffic: UpstreamTraffic;
};

/** @throws if the context was created without them. */
export function getUpstreamServices({ services }: Ctx): UpstreamServices {
  if (hasUpstreamServices(services)) return services;
  throw new Error("the context has no services for requests to others");
}

function hasUpstreamServices(services: Services): services is Services & UpstreamServices {
  return "outbound" in services && "sealedBox" in services && "traffic" in services;
}
