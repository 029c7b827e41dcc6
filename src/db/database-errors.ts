import { NO_TURN } from "./lanes.ts";

/** What a failed statement means for the caller. */
export type DatabaseErrorKind =
  | "unavailable"
  | "busy"
  | "timeout"
  | "conflict"
  | "unstorable"
  | "taken"
  | "unknown";

const UNAVAILABLE = new Set([
  ...["P1000", "P1001", "P1002", "P1003", "P1008", "P1017", "P2024", "P2028", "P2037"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"],
  // See isDivisionByZero.
  "22012",
  // 25P03: the process was suspended for too long in a transaction.
  ...["53300", "55P03", "25P03", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ...["08000", "08001", "08003", "08006"],
  // Prisma's messages, for errors without the driver's code.
  ...[
    "DatabaseNotReachable",
    "ConnectionClosed",
    "SocketTimeout",
    "TlsConnectionError",
    "TooManyConnections",
  ],
  ...["DatabaseDoesNotExist", "DatabaseAccessDenied", "AuthenticationFailed"],
  // The database is missing, rejects connections, or is a standby during a failover.
  ...["3D000", "28000", "28P01", "25006"],
]);
const CONFLICT = new Set(["P2034", "40001", "40P01", "TransactionWriteConflict"]);
const UNSTORABLE = new Set(["22021", "22P05"]);
const TAKEN = new Set(["P2002", "23505"]);
/** The statement exceeded its time limit or was canceled. */
const CANCELED = "57014";
const LOST = /connection terminated|not queryable|timeout exceeded when trying to connect|cannot use a pool/i;

/**
 * Classifies an error of Prisma or pg.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 * @see https://www.prisma.io/docs/orm/reference/error-reference
 */
export function getDatabaseErrorKind(error: unknown): DatabaseErrorKind {
  const codes = collectErrorCodes(error, 0);
  if (codes.some((code) => TAKEN.has(code))) return "taken";
  if (codes.some((code) => CONFLICT.has(code))) return "conflict";
  if (codes.includes(NO_TURN)) return "busy";
  if (codes.includes(CANCELED)) return "timeout";
  if (codes.some((code) => UNAVAILABLE.has(code))) return "unavailable";
  if (codes.some((code) => UNSTORABLE.has(code))) return "unstorable";
  // pg's errors for lost or rejected connections have no code.
  return error instanceof Error && LOST.test(error.message) ? "unavailable" : "unknown";
}

/** Whether a statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return collectErrorCodes(error, 0).includes("55P03");
}

/** Whether a table was not created because another node created it at the same time. */
export function isDuplicateTable(error: unknown): boolean {
  const codes = collectErrorCodes(error, 0);
  return codes.includes("42P07") || codes.includes("23505");
}

/** Whether a row was not written because a partitioned table has no partition for it. */
export function isMissingPartition(error: unknown): boolean {
  return collectErrorCodes(error, 0).includes("23514");
}

/** Whether a statement divided by zero, which statements do to fail on purpose. */
export function isDivisionByZero(error: unknown): boolean {
  return collectErrorCodes(error, 0).includes("22012");
}

/** Prisma puts the driver's code into `meta` and `cause`, at a depth that depends on the operation. */
function collectErrorCodes(error: unknown, depth: number): string[] {
  if (typeof error !== "object" || error === null || depth > 4) return [];
  const codes: string[] = [];
  for (const [key, value] of Object.entries<unknown>({
    ...error,
    cause: "cause" in error ? error.cause : null,
  })) {
    if (["code", "originalCode", "kind"].includes(key) && typeof value === "string") codes.push(value);
    if (typeof value === "object") codes.push(...collectErrorCodes(value, depth + 1));
  }
  return codes;
}
