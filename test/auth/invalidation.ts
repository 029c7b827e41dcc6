import type { CredentialName, TestCredentials } from "../support/test-credentials.ts";

/** What happens, and what is invalidated then. Everything else stays valid. */
export type Invalidation = {
  event: string;
  /** Adds credentials that replaced others. */
  happens: (credentials: TestCredentials) => Promise<Partial<Record<CredentialName, string>> | void>;
  invalidated?: CredentialName[];
  forbidden?: CredentialName[];
  /** Why connections are closed, in order. These rows reach every node. */
  revocations?: string[];
};
