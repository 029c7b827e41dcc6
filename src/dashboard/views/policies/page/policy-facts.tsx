import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { PolicyActivity } from "../policy-activity.tsx";
import type { ShownPolicy } from "../policy-fields.ts";

/** Who wrote a policy, and when. */
export function PolicyFacts({ policy }: { policy: ShownPolicy }) {
  const { enabled, fromFile, generation, createdAt, createdBy, updatedAt, updatedBy } = policy;
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ["Enabled", enabled ? "Yes" : "No: it is as if it weren’t there"],
    ...(fromFile ? [["From a file", "Yes: the next import undoes what is edited here"] as const] : []),
    ["Held in 7 days", <PolicyActivity key="activity" activity={policy.activity} />],
    [
      "Version",
      <Link key="version" href={`/policies/${policy.uuid}/history`}>{`${generation}: history`}</Link>,
    ],
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
