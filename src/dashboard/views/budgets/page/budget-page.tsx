import { Link } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { BUDGET_FRESHNESS, BudgetQuery, type ShownBudget } from "../budget-fields.ts";
import { describeLimit } from "../words/amounts.ts";
import { describeScope } from "../words/describe-scope.ts";
import { BudgetFacts } from "./budget-facts.tsx";
import { BudgetSums } from "./budget-sums.tsx";
import { DeleteBudget } from "./delete-budget.tsx";
import { EnableBudget } from "./enable-budget.tsx";
import { OpenReservations } from "./open-reservations.tsx";

const ABOVE = { href: "/budgets", title: "Budgets" };

/** Sums on the page. A budget may have one for each agent. */
const SUMS = 20;

/** One budget. */
export function BudgetPage({ uuid }: { uuid: string }) {
  const id = toGlobalId("Budget", uuid);
  const query = useLiveQuery(BudgetQuery, { id, sums: SUMS }, BUDGET_FRESHNESS);
  return (
    <OnePage what="budget" above={ABOVE} query={query}>
      {({ budget }) => (
        <Page
          title={budget.name}
          above={ABOVE}
          lead={<Lead budget={budget} />}
          action={<BudgetActs budget={budget} />}
        >
          {budget.description !== null && <p className="budgets-description">{budget.description}</p>}
          <div className="with-aside">
            <div className="stack">
              <BudgetSums budget={budget} isWhole={budget.windows.length < SUMS} />
              <OpenReservations id={budget.id} />
            </div>
            <BudgetFacts budget={budget} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

function Lead({ budget }: { budget: ShownBudget }) {
  return (
    <span className="in-line">
      <span>
        {describeLimit(budget)}, {describeScope(budget.scope)}
      </span>
      {!budget.enabled && <span className="badge">disabled</span>}
    </span>
  );
}

/** For admins. Others only read. */
function BudgetActs({ budget }: { budget: ShownBudget }) {
  if (!useIsAtLeast("ADMIN")) return null;
  return (
    <>
      <Link className="button" href={`/budgets/${budget.uuid}/edit`}>
        Edit budget
      </Link>
      <EnableBudget budget={budget} />
      <DeleteBudget budget={budget} />
    </>
  );
}
