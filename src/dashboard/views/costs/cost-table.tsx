import { saveFile } from "../../data/save-file.ts";
import { Empty } from "../../ui/empty.tsx";
import { DataTable, type DataTableProps } from "../../ui/table/data-table.tsx";
import { listCostColumns } from "./cost-columns.tsx";
import { type Grouping, getSumHref, getSumKey, toHeader } from "./cost-grouping.ts";
import type { CostPeriod } from "./cost-period.ts";
import type { CostSum, Costs } from "./costs-query.ts";
import { toCsv } from "./to-csv.ts";

export type CostTableProps = {
  grouping: Grouping;
  period: CostPeriod;
  /** When the period began, in milliseconds since 1970. */
  from: number;
  query: DataTableProps<CostSum>["query"];
  /** Null before the first answer. */
  usage: Costs["usage"] | null;
};

const NO_PAGES = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };

/** Sums by cost, but those of hours and days by time, with what leads to what made them. */
export function CostTable({ grouping, period, from, query, usage }: CostTableProps) {
  const { sums, hasMore } = usage ?? { sums: [], hasMore: false };
  const shown = grouping === "time" ? sums.toReversed() : sums;
  const header = toHeader(grouping, period);
  return (
    <>
      <DataTable
        one={header.toLowerCase()}
        many={`${header.toLowerCase()}s`}
        columns={listCostColumns(header, sums)}
        query={query}
        page={usage && { nodes: shown, totalCount: hasMore ? null : sums.length, pageInfo: NO_PAGES }}
        countsUpTo={sums.length}
        getKey={getSumKey}
        getHref={(sum) => getSumHref(sum, period, from)}
        empty={
          <Empty title="No costs in this period">
            When an agent sends its OpenTelemetry spans to POST /v1/traces, what its calls of models cost
            appears here.
          </Empty>
        }
      />
      {shown.length > 0 && (
        <div className="actions">
          <button
            type="button"
            className="button"
            onClick={() => saveFile(`costs-by-${grouping}.csv`, "text/csv", toCsv(shown))}
          >
            Download as CSV
          </button>
        </div>
      )}
    </>
  );
}
