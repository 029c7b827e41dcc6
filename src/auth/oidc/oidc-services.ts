import type { SessionServices } from "../sessions/session-services.ts";
import type { ProviderClients } from "./provider-clients.ts";

/** The services of sign-in by providers. */
export type OidcServices = SessionServices & {
  providerClients: ProviderClients;
  /** The server's own URL, without a slash at its end. */
  baseUrl: () => string;
};

/** Where providers send people back to. */
export const CALLBACK_PATH = "/users/log-in/provider/callback";
