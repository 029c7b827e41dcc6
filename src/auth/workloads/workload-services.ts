import type { Services } from "../../domain/kernel/services.ts";
import type { IssuerKeys } from "./issuer-keys.ts";

/** The services of workload identity. */
export type WorkloadServices = Services & {
  issuerKeys: IssuerKeys;
  /** Null in production: PostgreSQL's now() applies. */
  now: Date | null;
};
