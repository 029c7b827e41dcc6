import type { ResultOf } from "gql.tada";
import type { Ref } from "react";
import { Link } from "wouter";
import type { LiveQuery } from "../../data/use-live-query.ts";
import { Busy } from "../../ui/busy.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { ItemLink, ItemList } from "../../ui/list-detail/list-detail.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import type { InboxItem, InboxQuery } from "./inbox-query.ts";

type Found = ResultOf<typeof InboxQuery>;

export type InboxListProps = {
  query: LiveQuery<Found>;
  /** Null before the first answer. */
  items: readonly InboxItem[] | null;
  /** The uuid of the question that is open. */
  open: string | null;
  isArchive: boolean;
  ref: Ref<HTMLUListElement>;
};

/** The list on the left. */
export function InboxList({ query, items, open, isArchive, ref }: InboxListProps) {
  const more = query.data === null ? 0 : countMore(query.data);
  return (
    <div className="stack-s">
      <ErrorNote problem={query.problem} onRetry={query.refresh} />
      <Busy isBusy={query.isLoading} lines={items === null ? 3 : 0} />
      {items?.length === 0 && (isArchive ? <NothingArchived /> : <NothingWaits />)}
      {items !== null && items.length > 0 && (
        <ItemList label="Waiting for people" ref={ref}>
          {items.map((item) => (
            <li key={item.key}>
              <Item item={item} isOpen={item.uuid === open} query={isArchive ? "?show=archived" : ""} />
            </li>
          ))}
        </ItemList>
      )}
      {more > 0 && <p className="small soft">{`and ${more.toLocaleString("en")} more`}</p>}
    </div>
  );
}

/** How many wait that are not in the list. */
function countMore({ messages, approvals, executions }: Found): number {
  const all = [messages, approvals, executions];
  return all.reduce((sum, { totalCount, nodes }) => sum + Math.max(0, (totalCount ?? 0) - nodes.length), 0);
}

function NothingWaits() {
  return (
    <Empty title="Nothing waits for you">
      Questions of agents appear here, approvals, executions of unknown outcome, and tools to review.
    </Empty>
  );
}

function NothingArchived() {
  return (
    <Empty title="Nothing is archived">
      <Link href="/inbox">Show what waits</Link>
    </Empty>
  );
}

type ItemProps = { item: InboxItem; isOpen: boolean; query: string };

function Item({ item: { uuid, kind, title, from, at, href }, isOpen, query }: ItemProps) {
  return (
    <ItemLink href={kind === "Question" ? href + query : href} row={uuid} isOpen={isOpen} title={title}>
      <span className="small soft in-line">
        <span className="badge badge-plain">{kind}</span>
        <span>{from}</span>
        {at !== null && <TimeAgo at={at} />}
      </span>
    </ItemLink>
  );
}
