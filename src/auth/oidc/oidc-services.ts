import type { IssuerKeys } from "../workloads/issuer-keys.ts";
import type { SessionServices } from "../sessions/session-services.ts";
import type { SealedBox } from "../secrets/sealed-box.ts";
import type { ProviderClients } from "./provider-clients.ts";

/** The services of sign-in by providers. */
export type OidcServices = SessionServices & {
  providerClients: ProviderClients;
  issuerKeys: IssuerKeys;
  /** Null without a key. */
  sealedBox: SealedBox | null;
  /** The server's own URL, without a slash at its end. */
  baseUrl: () => string;
};

/** Where providers send people back to. */
export const CALLBACK_PATH = "/users/log-in/provider/callback";

/** Where they say who has logged out there. */
export const BACKCHANNEL_PATH = "/users/log-in/provider/backchannel-logout";

/** Where they send people back to who have logged out there. */
export const LOGGED_OUT_PATH = "/users/log-in/provider/logged-out";
