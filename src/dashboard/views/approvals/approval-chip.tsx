import type { ChipTone } from "../../ui/status-chip.tsx";
import type { ApprovalStatus } from "./approval-fields.ts";

const CHIPS: Readonly<Record<ApprovalStatus, readonly [label: string, tone: ChipTone]>> = {
  PENDING: ["waiting", "warn"],
  APPROVED: ["approved", "good"],
  DENIED: ["denied", "bad"],
  EXPIRED: ["expired", "plain"],
  CANCELLED: ["cancelled", "plain"],
};

export function ApprovalChip({ status, isRevoked = false }: { status: ApprovalStatus; isRevoked?: boolean }) {
  const [label, tone] = isRevoked ? (["revoked", "bad"] as const) : CHIPS[status];
  return <span className={`badge badge-${tone}`}>{label}</span>;
}
