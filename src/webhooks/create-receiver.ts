import type { SealedBox } from "../auth/secrets/sealed-box.ts";
import { openWebhookSecrets } from "../auth/webhooks/webhook-secret.ts";
import type { Receiver } from "./attempt-delivery.ts";
import type { HeldEndpoint } from "./endpoint-statements.ts";

/** Where an endpoint's requests go. A chat's URL is its secret. */
export function createReceiver(endpoint: HeldEndpoint, box: SealedBox | null): Receiver {
  const secrets = openWebhookSecrets(endpoint, box);
  const isChat = endpoint.kind === "chat";
  return { workspaceId: endpoint.workspaceId, isChat, secrets, url: (isChat && secrets[0]) || endpoint.url };
}
