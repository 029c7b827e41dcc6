import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { Countdown } from "../../../ui/countdown.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { BUDGET_FRESHNESS } from "../budget-fields.ts";
import { formatAmount } from "../words/amounts.ts";
import { ReleaseAssumed } from "./release-assumed.tsx";

const OpenReservationsQuery = graphql(`
  query OpenReservations($id: ID!) {
    reservations(first: 20, filter: { budgetId: $id }) {
      totalCount
      nodes {
        uuid
        agentUuid
        agent {
          id
          name
        }
        assumed
        budgets {
          id
          unit
          amount
        }
        decisionUuid
        executionUuid
        expiresAt
        createdAt
      }
    }
  }
`);

type Reservation = ResultOf<typeof OpenReservationsQuery>["reservations"]["nodes"][number];

/** Who holds something of a budget, and whose use was assumed. The newest. */
export function OpenReservations({ id }: { id: string }) {
  const { data, problem, isLoading, refresh } = useLiveQuery(OpenReservationsQuery, { id }, BUDGET_FRESHNESS);
  const nodes = data?.reservations.nodes ?? [];
  const more = (data?.reservations.totalCount ?? Infinity) - nodes.length;
  return (
    <section className="card stack-m" aria-labelledby="budget-reservations">
      <h2 id="budget-reservations">Reservations</h2>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading && data === null} lines={data === null ? 3 : 0} />
      {data !== null && nodes.length === 0 && <p className="soft">Nobody holds something of it.</p>}
      {nodes.length > 0 && (
        <ul className="budgets-reservations">
          {nodes.map((reservation) => (
            <li key={reservation.uuid}>
              <Open reservation={reservation} budgetId={id} />
            </li>
          ))}
        </ul>
      )}
      {data !== null && more > 0 && (
        <p className="small soft">
          {Number.isFinite(more) ? `and ${more.toLocaleString("en")} more` : "and more than 10,000 more"}
        </p>
      )}
    </section>
  );
}

function Open({ reservation, budgetId }: { reservation: Reservation; budgetId: string }) {
  const { uuid, agentUuid, agent, assumed, budgets, decisionUuid, executionUuid } = reservation;
  const own = budgets.find(({ id }) => id === budgetId);
  const name = agent?.name ?? "Unnamed agent";
  return (
    <div className="in-line">
      <StatusChip status={assumed ? "ASSUMED" : "HELD"} tone={assumed ? "warn" : "busy"} />
      <strong>{own === undefined ? "–" : formatAmount(own.unit, own.amount)}</strong>
      <Link href={`/agents/${agentUuid}`}>{name}</Link>
      <span className="small soft">
        <TimeAgo at={reservation.createdAt} />
      </span>
      {!assumed && (
        <span className="small soft">
          <Countdown until={reservation.expiresAt} />
        </span>
      )}
      {decisionUuid !== null && <Link href={`/decisions/${decisionUuid}`}>decision</Link>}
      {executionUuid !== null && <Link href={`/executions/${executionUuid}`}>execution</Link>}
      {assumed && <ReleaseAssumed uuid={uuid} agentName={name} />}
    </div>
  );
}
