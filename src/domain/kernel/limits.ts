/**
 * The limits of the API, used by the use cases that enforce them and the API descriptions that state them.
 */
export const LIMITS = {
  agentTokenSeconds: { min: 60, max: 2_592_000 },
  workloadTokenSeconds: { min: 60, max: 900, default: 900 },
  workloadTrusts: 100,
  claimPatterns: 10,
  socketTokenSeconds: 600,
  liveTokensPerAgent: 1000,
  sessionDays: 14,
  sessionsPerPerson: 100,
  passkeysPerPerson: 10,
  sudoSeconds: 1200,
  resetLinkMinutes: 60,
  invitationDays: 7,
  unsubscribeLinkDays: 60,
  /** How long a question waits before people are told by email. */
  questionMinutes: { min: 1, max: 1440, default: 15 },
  digestHour: { min: 0, max: 23, default: 8 },
  /** How long the deletion of a workspace can be undone. */
  graceDays: { min: 1, max: 90, default: 7 },
  /** Of a workspace within 15 minutes. */
  invitations: 100,
  emailChangeHours: 24,
  passwordLength: { min: 12, max: 128 },
  emailLength: 160,
  queryLength: 100,
  searchWords: 10,
  ipAllowlist: 50,
  keyOverlapSeconds: { min: 0, max: 2_592_000, default: 86_400 },
  scimOverlapSeconds: { min: 0, max: 86_400, default: 3600 },
  titleLength: 200,
  nameLength: 100,
  signInDomains: 20,
  clientIdLength: 255,
  parts: 32,
  partsBytes: 262_144,
  metadataBytes: 16_384,
  jsonDepth: 100,
  labels: 32,
  labelLength: 64,
  priority: { min: 0, max: 9, default: 5 },
  maxAttempts: { min: 1, max: 20, default: 3 },
  claimQueues: 16,
  listedQueues: 100,
  /** How many tasks may be below each other, the first one counted. */
  taskLevels: 100,
  leaseSeconds: { min: 10, max: 600, default: 60 },
  pollSeconds: { min: 0, max: 25, default: 0 },
  waitsPerCredential: 500,
  waitsPerNode: 20_000,
  /** How long the calls of tools wait for people, and how many of a credential, and on a node. */
  holdSeconds: { min: 0, max: 590, default: 20 },
  heldPerCredential: 100,
  heldPerNode: 5000,
  sessionKeyLength: 401,
  retrySeconds: 300,
  cancelSeconds: 30,
  inputTimeoutSeconds: { min: 1, max: 2_592_000 },
  outputBytes: 262_144,
  artifacts: 32,
  errorCodeLength: 64,
  textLength: 2000,
  capabilities: 64,
  capabilitiesBytes: 65_536,
  schemaNodes: 2000,
  schemaDepth: 64,
  schemaRefs: 100,
  schemaPatterns: 100,
  schemaPatternLength: 256,
  commandTypeLength: 100,
  commandParamsBytes: 65_536,
  commandAgents: 500,
  commandBatchBytes: 4_194_304,
  commandSchemas: 32,
  commandsPage: { min: 1, max: 100, default: 10 },
  commandExpirySeconds: { min: 1, max: 2_592_000, default: 3600 },
  ackTimeoutSeconds: { min: 1, max: 3600, default: 30 },
  runTimeoutSeconds: { min: 1, max: 86_400, default: 600 },
  deferralSeconds: { min: 1, max: 86_400, default: 60 },
  deliveryAttempts: 10,
  evalBatch: { min: 1, max: 500 },
  evalItems: 100_000,
  evalSilenceMinutes: 60,
  itemKeyLength: 200,
  scores: 32,
  scoresOfTrace: 500,
  scoreNames: 100,
  scoreValue: { min: -1e12, max: 1e12 },
  resultCostUsd: { min: 0, max: 1e6 },
  countedMatches: 10_000,
  /** Of a workspace, those of all agents not counted. */
  standingStops: 100,
  stopStages: 50,
  /** Of a stop at once, by their ids. */
  resumedAgents: 500,
  resumedPercent: { min: 1, max: 100 },
  shownOutstanding: { min: 1, max: 100, default: 20 },
  missionSteps: { min: 1, max: 100 },
  missionStepsBytes: 49_152,
  missionDispatches: 3,
  missionTemplates: 50,
  archivedInboxItems: 500,
  missionStartSeconds: 30,
  missionStartAckSeconds: 10,
  missionFirstProgressSeconds: 60,
  missionCancelSeconds: 60,
  missionLostSeconds: 600,
  percent: { min: 0, max: 100 },
  durationSeconds: { min: 1, max: 2_592_000 },
  referenceTasks: 32,
  robotErrors: 64,
  robotErrorsBytes: 262_144,
  robotLoads: 32,
  robotLoadBytes: 4096,
  robotReferences: 32,
  vdaEntries: 10_000,
  robotSilenceSeconds: 45,
  robotSampleSeconds: 30,
  robotSampleDays: 7,
  robotSampleHours: 24,
  telemetryRobots: 500,
  /** Of a workspace, and the bytes of all of their images. */
  floorPlans: 50,
  floorPlansBytes: 33_554_432,
  floorPlanBytes: 2_097_152,
  floorPlanPixels: 16_777_216,
  /** The largest side of an SVG, in its own units. */
  floorPlanSvgSide: 100_000,
  /** Metres per pixel. */
  floorPlanResolution: { min: 0.0001, max: 1000 },
  /** How far a floor plan may be from the origin of its map, in metres. */
  floorPlanOrigin: 1_000_000,
  eventsPage: { min: 1, max: 500, default: 100 },
  eventTypes: 50,
  waitSeconds: { min: 0, max: 30, default: 0 },
  currentTasks: 5,
  countedConversations: 100,
  series: 20,
  /** Sums of usage in one answer, and periods that it is of. */
  usageSums: { min: 1, max: 1000, default: 100 },
  usagePeriods: 1000,
  seriesPoints: 1000,
  seriesDays: 31,
  seriesStepSeconds: { min: 1, max: 2_678_400 },
  pageSize: { min: 0, max: 100, default: 50 },
  wholeListPage: 1000,
  offset: 100_000,
  bodyBytes: 1_048_576,
  /** A JSON value of `jsonDepth` and what is around it. */
  bodyDepth: 128,
  /** Of a JSON body: lists and objects, as many as 256 KiB can have of pairs of numbers; members; members and elements. */
  bodyContainers: 50_000,
  bodyMembers: 50_000,
  bodyValues: 250_000,
  /** A signed 32-bit integer, as in GraphQL and the database. */
  wholeNumber: 2_147_483_647,
  fieldErrors: 100,
  fieldLength: 200,
  conditionLength: 4000,
  requestBytes: 262_144,
  requestDepth: 64,
  /** List elements, object members, lists and objects: all of them are looked at. */
  requestValues: 10_000,
  entityName: 256,
  /** Of an entity's properties, as JSON. */
  entityBytes: 16_384,
  gatewayEntities: 50_000,
  mcpServers: 100,
  /** Tools that a server may have, and the size of a definition and of all of them. */
  mcpTools: 500,
  mcpToolBytes: 65_536,
  mcpToolListBytes: 4_194_304,
  mcpToolNameLength: 128,
  /** How many calls of a server or a tool in the last 24 hours are counted, and denials and questions of a workspace. */
  mcpCountedCalls: 500,
  mcpCountedDenials: 2000,
  /** How often servers are asked for their tools, give or take a fifth. */
  mcpRefreshMinutes: 10,
  /** A message of an answer from a server. */
  mcpAnswerBytes: 4_194_304,
  mcpHoldSeconds: { min: 0, max: 590, default: 50 },
  /** Of the credential for a server. */
  secretLength: 4096,
  urlLength: 2000,
  webhookEndpoints: 100,
  webhookDescriptionLength: 200,
  /** How long the secret before signs too after a rotation. */
  webhookOverlapSeconds: { min: 0, max: 604_800, default: 86_400 },
  webhookBodyBytes: 65_536,
  /** Of an answer: what is read, and what is kept. */
  webhookAnswerBytes: 65_536,
  webhookKeptBytes: 4096,
  /** Deliveries to an endpoint at once. */
  webhookInFlight: 8,
  webhookDeliveriesPage: { min: 1, max: 50, default: 20 },
  /** Requests that are checked together. */
  checkedRequests: 50,
  searchPage: { min: 1, max: 100, default: 50 },
  /** Entities that are checked for a page of a search, and for how long. */
  searchCandidates: 10_000,
  searchMs: 200,
  /** List elements and object members of a request, for conditions that look at all of them. */
  checkedElements: 1024,
  /** Permissions of one kind that are stored in a minute, where decisions are sampled. */
  sampledDecisions: 20,
  /** Actions of a workspace that are counted by name in an hour. */
  countedActions: 100,
  /** Models of a workspace that are charged by name in a day. */
  countedModels: 100,
  /** How many hours sums of minutes are kept; those of hours are kept as long as decisions. */
  minuteSumHours: 48,
  /** The days of which a policy's matches are summed. */
  policyActivityDays: 7,
  decisionRequestBytes: 16_384,
  decisionPolicies: 50,
  policyNameLength: 64,
  policyEntries: 64,
  policies: 10_000,
  policyBytes: 16_384,
  appliedPolicies: 500,
  /** Of all policies of a workspace: nodes keep them in memory. */
  policiesBytes: 16_777_216,
  /** Texts that a workspace's policies are found by: at most one for each of their entries. */
  policyKeys: 50_000,
  /** Enabled policies that are found by their actions only, or by nothing. */
  broadPolicies: 500,
  /** How long people can be asked about a decision that said so. */
  requestableSeconds: 600,
  /** How long AuthZEN shows an access request after its end. */
  endedRequestHours: 24,
  approvalPersons: { min: 1, max: 2, default: 1 },
  approvalTtlSeconds: { min: 60, max: 86_400, default: 900 },
  approvalValidSeconds: { min: 10, max: 86_400, default: 300 },
  approvalUses: { min: 1, max: 100, default: 1 },
  /** The longest request that people are asked about, as JSON, in bytes. */
  approvalRequestBytes: 65_536,
  /** The largest earlier request that is shown next to a new one, in bytes. */
  previousArgumentsBytes: 16_384,
  /** Tasks, with those above them, commands and missions that are looked at to tell whose work a question is about. */
  workOfQuestion: 2000,
  /** Approvals of an agent, and of a workspace, that wait for people. */
  pendingApprovalsOfAgent: 100,
  pendingApprovals: 1000,
  executionLeaseSeconds: { min: 10, max: 3600, default: 120 },
  executionResultBytes: 65_536,
  budgets: 200,
  budgetThresholds: 10,
  /** The largest limits of budgets. */
  budgetUsd: 1_000_000_000,
  budgetCount: 1_000_000_000_000_000,
  /** The most that one reservation may hold, and be settled with. */
  reservedUsd: 1_000_000,
  reservedTokens: 1_000_000_000_000,
  reservationSeconds: { min: 10, max: 86_400, default: 600 },
  /** Versions of a policy that are read at once. */
  policyVersions: { min: 1, max: 50, default: 20 },
  budgetWindows: { min: 1, max: 100, default: 20 },
  /** Of a workspace: nodes keep them in memory. */
  modelPrices: 10_000,
  modelNameLength: 256,
  providerLength: 64,
  priceTiers: 8,
  /** Calls that are looked at in one request. */
  repricedCalls: 5000,
  /** Of a million tokens. */
  tokenPriceUsd: 100_000,
  tierTokens: { min: 1, max: 1_000_000_000 },
  priceFileBytes: 16_777_216,
  /** New spans of a workspace. */
  spansPerDay: { min: 0, max: 1_000_000_000 },
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
} as const;

/** A capability's type: words joined by dots. */
export const CAPABILITY_TYPE = /^[a-z][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_-]*)*$/;

/** A handle or a queue's name. */
export const HANDLE = /^[a-z0-9][a-z0-9._-]{0,63}$/;
