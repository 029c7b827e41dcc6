import { Link } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { PolicyChips } from "../policy-chips.tsx";
import { POLICY_FRESHNESS, PolicyQuery, type ShownPolicy } from "../policy-fields.ts";
import { DeletePolicy } from "./delete-policy.tsx";
import { PolicyFacts } from "./policy-facts.tsx";
import { PolicyRule } from "./policy-rule.tsx";

const ABOVE = { href: "/policies", title: "Policies" };

export function PolicyPage({ uuid }: { uuid: string }) {
  const query = useLiveQuery(PolicyQuery, { id: toGlobalId("Policy", uuid) }, POLICY_FRESHNESS);
  return (
    <OnePage what="policy" above={ABOVE} query={query}>
      {({ policy }) => (
        <Page
          title={policy.name}
          above={ABOVE}
          lead={<PolicyChips {...policy} />}
          action={<PolicyActs policy={policy} />}
        >
          {policy.description !== null && <p className="policies-description">{policy.description}</p>}
          <div className="with-aside">
            <PolicyRule policy={policy} />
            <PolicyFacts policy={policy} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

/** For admins. Others only read. */
function PolicyActs({ policy }: { policy: ShownPolicy }) {
  if (!useIsAtLeast("ADMIN")) return null;
  return (
    <>
      <Link className="button" href={`/policies/${policy.uuid}/edit`}>
        Edit policy
      </Link>
      <DeletePolicy policy={policy} />
    </>
  );
}
