import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

export const NEW_WEBHOOK = { url: "https://receiver.example/hooks", eventTypes: ["task.*"] };

/** Calls of all GraphQL fields of webhooks with another workspace's ids. */
export function webhookCalls({ ids }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const id = toGlobalId("WebhookEndpoint", ids.webhookEndpoint);
  const deliveryId = toGlobalId("WebhookDelivery", ids.webhookDelivery);
  const refused = (input: object): FieldCall[] => [
    { args: { input }, outcome: "NOT_FOUND", forPeople: true },
  ];
  return {
    webhookEndpoint: [{ args: { id }, outcome: "NOT_FOUND", forPeople: true }],
    webhookEndpoints: [{ args: {}, outcome: "own", forPeople: true }],
    webhookDeliveries: [
      { args: { endpointId: id, status: "DELIVERED" }, outcome: "own", forPeople: true },
      { args: { endpointId: id, before: deliveryId }, outcome: "own", forPeople: true },
    ],
    // The server of these tests has no key for secrets.
    createWebhookEndpoint: [{ args: { input: NEW_WEBHOOK }, outcome: "INVALID_STATE", forPeople: true }],
    updateWebhookEndpoint: refused({ id, description: "x" }),
    rotateWebhookSecret: refused({ id }),
    deleteWebhookEndpoint: refused({ id }),
    sendTestEvent: refused({ endpointId: id }),
    resendDelivery: refused({ id: deliveryId }),
    resendFromDelivery: refused({ id: deliveryId }),
  };
}
