import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { listPriceColumns } from "./price-columns.tsx";
import { PriceForm } from "./price-form.tsx";
import { PRICES_FRESHNESS, PricesQuery } from "./prices-query.ts";

/** The workspace's own prices of models. */
export function PricesPage() {
  const maySet = useIsAtLeast("ADMIN");
  const query = useLiveQuery(PricesQuery, usePaging(), PRICES_FRESHNESS);
  return (
    <Page
      title="Prices"
      above={{ href: "/costs", title: "Costs" }}
      lead="What calls of models cost in this workspace, in dollars for a million tokens. Other models cost what the program’s price list says. A new price changes nothing that was charged."
    >
      {maySet && <PriceForm />}
      <DataTable
        one="price"
        many="prices"
        columns={listPriceColumns(maySet)}
        query={query}
        page={query.data?.modelPrices ?? null}
        getKey={({ uuid }) => uuid}
        empty={
          <Empty title="No prices of your own">
            Models that the program’s price list knows have a price without one.
          </Empty>
        }
      />
    </Page>
  );
}
