import type { Robot } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { RobotReport } from "./robot-report.ts";

/** A report's place in its robot's sequence. */
type SequencePosition = Pick<RobotReport, "stateSeq" | "wraps">;

const UINT32 = 2n ** 32n;

/**
 * Whether a report is newer than what is known of its robot. One that counts from anew and says so is, but for
 * the same one again; and where nothing of a robot has counted for 45 s, whatever it reports does: its clock may
 * have gone back, or its memory be lost.
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
 * Whether a place comes after another. One that wraps comes after those of the half circle behind it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1982
 */
export function isLater({ stateSeq, wraps }: SequencePosition, known: bigint): boolean {
  if (wraps !== true) return BigInt(stateSeq) > known;
  const ahead = BigInt.asUintN(32, BigInt(stateSeq) - known);
  return ahead > 0n && ahead < UINT32 / 2n;
}

/** {@link isLater} in SQL: of a row that tells `state_seq` and `wraps` over one that knows `state_seq`. */
export function isLaterSql(reported: string, known: string): string {
  const ahead = `((${reported}.state_seq - ${known}.state_seq) % ${UINT32} + ${UINT32}) % ${UINT32}`;
  return `CASE WHEN ${reported}.wraps THEN ${ahead} BETWEEN 1 AND ${UINT32 / 2n - 1n}
    ELSE ${reported}.state_seq > ${known}.state_seq END`;
}
