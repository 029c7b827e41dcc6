import type { UserProblem } from "../../../data/problem.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import {
  APPROVAL_STATUSES,
  APPROVAL_TYPES,
  type ApprovalItem,
  type ApprovalStatus,
  ApprovalsQuery,
} from "../approval-fields.ts";
import { useKeptItems } from "./use-kept-items.ts";

export type ListedApprovals = {
  /** Those that wait, oldest first; or those with another status, newest first. Null before the first answer. */
  items: readonly ApprovalItem[] | null;
  total: number | null;
  /** Items that no longer wait, but are kept in their places. */
  decided: number;
  clear: () => void;
  problem: UserProblem | null;
  isLoading: boolean;
  refresh: () => void;
};

const SIZE = 100;

/** @param status null for those that wait. */
export function useApprovals(status: ApprovalStatus | null): ListedApprovals {
  const isWaiting = status === null;
  const page = isWaiting ? { last: SIZE } : { first: SIZE };
  const query = useLiveQuery(
    ApprovalsQuery,
    { ...page, filter: { status: status ?? "PENDING" } },
    { types: APPROVAL_TYPES },
  );
  const newest = useLiveQuery(
    ApprovalsQuery,
    { first: SIZE, filter: null },
    { types: APPROVAL_TYPES, isPaused: !isWaiting },
  );
  const nodes = query.data?.approvals.nodes ?? null;
  const kept = useKeptItems(
    isWaiting ? (nodes?.toReversed() ?? null) : null,
    newest.data?.approvals.nodes ?? [],
  );
  return {
    ...kept,
    items: isWaiting && nodes !== null ? kept.items : nodes,
    total: query.data?.approvals.totalCount ?? null,
    problem: query.problem,
    isLoading: query.isLoading,
    refresh: query.refresh,
  };
}

/** The status in the URL. Null for those that wait. */
export function findApprovalStatus(name: string): ApprovalStatus | null {
  return APPROVAL_STATUSES.find((status) => status === name && status !== "PENDING") ?? null;
}
