import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { useAct } from "../../../data/use-act.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import type { MintedKey } from "./minted-key.ts";

const ConnectedAgent = graphql(`
  query ConnectedAgent($id: ID!) {
    agent(id: $id) {
      uuid
      handle
      name
    }
  }
`);

const CreateConnectedAgent = graphql(`
  mutation CreateConnectedAgent($handle: String!, $name: String!) {
    createAgent(input: { handle: $handle, name: $name }) {
      agent {
        uuid
        handle
        name
      }
    }
  }
`);

const MintApiKey = graphql(`
  mutation MintApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key
      apiKey {
        id
        uuid
        agentUuid
        agentName
      }
    }
  }
`);

/** Whom the key is for: an agent that exists, by its UUID, or a new one. */
export type KeyOwner = { uuid: string } | { handle: string; name: string };

export type Mint = {
  /** @returns the key, or null if that failed: then `problem` is set. */
  mint: (terms: { scopes: string[]; days: number | null }) => Promise<MintedKey | null>;
  isBusy: boolean;
  problem: UserProblem | null;
};

const DAY_MS = 86_400_000;

/** Creates an API key of an agent. `onAgent` is told a new agent, which exists even if its key can't be created. */
export function useMint(owner: KeyOwner, onAgent: (uuid: string) => void): Mint {
  const uuid = "uuid" in owner ? owner.uuid : "";
  const known = useLiveQuery(
    ConnectedAgent,
    { id: toGlobalId("Agent", uuid) },
    { types: ["agent.updated"], isPaused: uuid === "" },
  );
  const agent = useAct(CreateConnectedAgent);
  const key = useAct(MintApiKey);

  async function findAgent(): Promise<{ handle: string; name: string } | null> {
    if ("uuid" in owner) return known.data?.agent ?? null;
    const made = await agent.act(owner);
    if (made === null) return null;
    onAgent(made.createAgent.agent.uuid);
    return made.createAgent.agent;
  }

  return {
    mint: async ({ scopes, days }) => {
      key.clear();
      const found = await findAgent();
      if (found === null) return null;
      const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
      const made = await key.act({
        input: { name: found.name, agentHandle: found.handle, scopes, expiresAt },
      });
      if (made === null) return null;
      const { key: secret, apiKey } = made.createApiKey;
      return { ...apiKey, secret };
    },
    isBusy: agent.isBusy || key.isBusy,
    problem: agent.problem ?? key.problem ?? known.problem,
  };
}
