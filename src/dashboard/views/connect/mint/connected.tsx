import { useState } from "react";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { MintedKey } from "./minted-key.ts";

const MintedKeyUse = graphql(`
  query MintedKeyUse($id: ID!) {
    apiKey(id: $id) {
      id
      lastUsedAt
    }
  }
`);

/** The first use of a key has no event, unless its agent was offline. */
const EVERY_MS = 2000;

/** Says when the first request with a key comes. */
export function Connected({ minted: { id, agentUuid, agentName } }: { minted: MintedKey }) {
  const [since, setSince] = useState<string | null>(null);
  const { data, problem, refresh } = useLiveQuery(
    MintedKeyUse,
    { id },
    { types: ["agent.*"], ...(since === null && { everyMs: EVERY_MS }) },
  );
  const usedAt = data?.apiKey.lastUsedAt ?? null;
  if (since === null && usedAt !== null) setSince(usedAt);
  return (
    <>
      <ErrorNote problem={problem} onRetry={refresh} />
      <p
        role="status"
        className={since === null ? "connect-state connect-waits" : "connect-state connect-done"}
      >
        {since === null ? "Waiting for its first request…" : `${agentName} has connected.`}
      </p>
      {since !== null && (
        <p>
          Its first request came <TimeAgo at={since} />.{" "}
          <Link href={`/agents/${agentUuid}`}>See the agent</Link>
        </p>
      )}
    </>
  );
}
