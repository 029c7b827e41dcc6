import type { Robot } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { RobotReport } from "./robot-report.ts";

/** A report's position in its robot's sequence. */
type SequencePosition = Pick<RobotReport, "stateSeq" | "wraps">;

const UINT32 = 2n ** 32n;

/**
 * Whether a report is newer than the stored one. A report with `restarted` is newer unless it repeats the
 * last one. After 45 s without an accepted report any report is newer: the robot's clock may have gone
 * back, or it may have lost its memory.
 */
export function isNewer(
  report: SequencePosition & Pick<RobotReport, "restarted">,
  { status, stateSeq, stateAt }: Pick<Robot, "status" | "stateSeq" | "stateAt">,
  now: Date,
): boolean {
  if (status === "offline" || isLater(report, stateSeq)) return true;
  if (report.restarted && BigInt(report.stateSeq) !== stateSeq) return true;
  return now.getTime() - (stateAt?.getTime() ?? 0) >= LIMITS.robotSilenceSeconds * 1000;
}

/**
 * Whether a position is after another. With wrapping, it is after those in the half circle behind it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1982
 */
export function isLater({ stateSeq, wraps }: SequencePosition, known: bigint): boolean {
  if (wraps !== true) return BigInt(stateSeq) > known;
  const ahead = BigInt.asUintN(32, BigInt(stateSeq) - known);
  return ahead > 0n && ahead < UINT32 / 2n;
}

/** {@link isLater} in SQL, for a row with `state_seq` and `wraps` and one with `state_seq`. */
export function isLaterSql(reported: string, known: string): string {
  const ahead = `((${reported}.state_seq - ${known}.state_seq) % ${UINT32} + ${UINT32}) % ${UINT32}`;
  return `CASE WHEN ${reported}.wraps THEN ${ahead} BETWEEN 1 AND ${UINT32 / 2n - 1n}
    ELSE ${reported}.state_seq > ${known}.state_seq END`;
}
