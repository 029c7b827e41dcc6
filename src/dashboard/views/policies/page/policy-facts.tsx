import type { ReactNode } from "react";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { ShownPolicy } from "../policy-fields.ts";

/** Who wrote a policy, and when. */
export function PolicyFacts({ policy }: { policy: ShownPolicy }) {
  const { enabled, generation, createdAt, createdBy, updatedAt, updatedBy } = policy;
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ["Enabled", enabled ? "Yes" : "No: it is as if it weren’t there"],
    ["Version", String(generation)],
    ["Created", <When key="created" at={createdAt} by={createdBy.name} />],
    ["Changed", <When key="changed" at={updatedAt} by={updatedBy.name} />],
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

function When({ at, by }: { at: string; by: string }) {
  return (
    <>
      <TimeAgo at={at} /> by {by}
    </>
  );
}
