import type { UpstreamServices } from "../auth/upstream/upstream-services.ts";
import type { Services } from "../domain/kernel/services.ts";
import type { Live } from "../live/live.ts";

/** The services of delivery to webhooks. */
export type WebhookServices = Services &
  Pick<UpstreamServices, "outbound" | "sealedBox"> & { live: Live; baseUrl: () => string };
