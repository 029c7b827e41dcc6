import type { Ref } from "react";
import { Link } from "wouter";
import { Busy } from "../../../ui/busy.tsx";
import { Countdown } from "../../../ui/countdown.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { ItemLink, ItemList } from "../../../ui/list-detail/list-detail.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatCount } from "../../../ui/words.ts";
import { getAskerName } from "../../decisions/get-asker-name.ts";
import { ApprovalChip } from "../approval-chip.tsx";
import type { ApprovalItem, ApprovalStatus } from "../approval-fields.ts";
import { getApprovalTitle } from "../get-approval-title.ts";
import type { ListedApprovals } from "./use-approvals.ts";

export type ApprovalListProps = {
  /** Null for those that wait. */
  status: ApprovalStatus | null;
  listed: ListedApprovals;
  /** The one that is open. */
  open: string | null;
  ref: Ref<HTMLUListElement>;
};

/** The list on the left. */
export function ApprovalList({ status, listed, open, ref }: ApprovalListProps) {
  const { items, total, decided, clear, problem, isLoading, refresh } = listed;
  const more = (total ?? 0) + decided - (items?.length ?? 0);
  return (
    <div className="stack-s">
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} lines={items === null ? 3 : 0} />
      {items?.length === 0 && <NoApprovals status={status} />}
      {items !== null && items.length > 0 && (
        <ItemList label="Approvals" ref={ref}>
          {items.map((item, place) => (
            <li key={item.uuid}>
              <Item item={item} place={place} isOpen={item.uuid === open} query={toQuery(status)} />
            </li>
          ))}
        </ItemList>
      )}
      {more > 0 && <p className="small soft">{`and ${more.toLocaleString("en")} more`}</p>}
      {decided > 0 && (
        <button type="button" className="button button-small" onClick={clear}>
          Remove {formatCount(decided, "that no longer waits", "that no longer wait")}
        </button>
      )}
    </div>
  );
}

function toQuery(status: ApprovalStatus | null): string {
  return status === null ? "" : `?status=${status}`;
}

function NoApprovals({ status }: { status: ApprovalStatus | null }) {
  if (status !== null) {
    return (
      <Empty title="No approval with this status">
        <Link href="/approvals">Show those that wait</Link>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing waits for approval">
      What agents ask because of a <Link href="/policies?effect=ASK">policy that asks</Link> appears here, and
      commands and missions that wait for people.
    </Empty>
  );
}

type ItemProps = { item: ApprovalItem; place: number; isOpen: boolean; query: string };

function Item({ item, place, isOpen, query }: ItemProps) {
  const { uuid, status, createdAt, expiresAt, decidedAt } = item;
  return (
    <ItemLink href={`/approvals/${uuid}${query}`} row={place} isOpen={isOpen} title={getApprovalTitle(item)}>
      <span className="small soft">{getAskerName(item)}</span>
      <span className="small soft in-line">
        {status === "PENDING" ? (
          <>
            <TimeAgo at={createdAt} /> <Countdown until={expiresAt} />
          </>
        ) : (
          <>
            <ApprovalChip status={status} /> <TimeAgo at={decidedAt ?? createdAt} />
          </>
        )}
      </span>
    </ItemLink>
  );
}
