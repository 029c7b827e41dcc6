import type { Hono } from "hono";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { type OperationLimits, createOperationLimits } from "../../src/gateway/operation-limits.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import type { OpenServices } from "../../src/services.ts";

/** The app without a server, for tests of its routes. */
export function createTestApp(
  services: OpenServices,
  operationLimits: OperationLimits = createOperationLimits(services.rateLimit),
): Hono<HttpEnv> {
  return createApp(readConfig({}), services, { operationLimits, isReady: async () => true });
}
