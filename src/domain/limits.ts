/** The numbers of the contract, in one place for the doors that announce them and the verbs that hold them. */
export const LIMITS = {
  agentTokenSeconds: { min: 60, max: 2_592_000 },
  socketTokenSeconds: 600,
  liveTokensPerKey: 1000,
  sessionDays: 14,
  reissueAfterDays: 7,
  sudoSeconds: 1200,
  resetLinkMinutes: 60,
  invitationDays: 7,
  emailChangeHours: 24,
  passwordLength: { min: 12, max: 128 },
  emailLength: 160,
  titleLength: 200,
  nameLength: 100,
  parts: 32,
  partsBytes: 262_144,
  metadataBytes: 16_384,
  jsonDepth: 100,
  labels: 32,
  labelLength: 64,
  priority: { min: 0, max: 9, default: 5 },
  maxAttempts: { min: 1, max: 20, default: 3 },
  referenceTasks: 32,
  pageSize: { min: 0, max: 100, default: 50 },
  offset: 100_000,
  bodyBytes: 1_048_576,
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
} as const;

/** A handle or a queue's name. */
export const HANDLE = /^[a-z0-9][a-z0-9._-]{0,63}$/;
