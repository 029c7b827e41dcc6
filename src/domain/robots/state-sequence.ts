import type { Robot } from "../../db/generated/client.ts";
import type { RobotReport } from "./robot-report.ts";

/** A report's place in its robot's sequence. */
type Place = Pick<RobotReport, "stateSeq" | "wraps">;

const UINT32 = 2n ** 32n;

/**
 * Whether a report is newer than what is known of its robot. A robot that restarts its sequence says so, or
 * is heard again after it was offline: then its report counts whatever its place, but for the same one again.
 */
export function isNews(
  report: Place & Pick<RobotReport, "restarted">,
  known: Pick<Robot, "status" | "stateSeq">,
): boolean {
  return known.status === "offline" || isLater(report, known.stateSeq) || isRestart(report, known.stateSeq);
}

/** Whether a report begins a new sequence. */
export function isRestart(report: Place & Pick<RobotReport, "restarted">, known: bigint): boolean {
  return report.restarted && BigInt(report.stateSeq) !== known && !isLater(report, known);
}

/**
 * Whether a place comes after another. One that wraps comes after those of the half circle behind it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1982
 */
export function isLater({ stateSeq, wraps }: Place, known: bigint): boolean {
  if (wraps !== true) return BigInt(stateSeq) > known;
  const ahead = BigInt.asUintN(32, BigInt(stateSeq) - known);
  return ahead > 0n && ahead < UINT32 / 2n;
}

/** {@link isLater} in SQL: of a row that tells `state_seq` and `wraps` over one that knows `state_seq`. */
export function laterSql(told: string, known: string): string {
  const ahead = `((${told}.state_seq - ${known}.state_seq) % ${UINT32} + ${UINT32}) % ${UINT32}`;
  return `CASE WHEN ${told}.wraps THEN ${ahead} BETWEEN 1 AND ${UINT32 / 2n - 1n}
    ELSE ${told}.state_seq > ${known}.state_seq END`;
}
