import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { type Lookup, LookupField, type LookupFieldProps } from "./lookup-field.tsx";

const AgentChoice = graphql(`
  fragment AgentChoice on Agent {
    uuid
    name
    handle
  }
`);

const AgentChoices = graphql(
  `
    query AgentChoices($search: String) {
      found: agents(first: 20, filter: { archived: false, search: $search }) {
        nodes {
          ...AgentChoice
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  `,
  [AgentChoice],
);

const ChosenAgent = graphql(
  `
    query ChosenAgent($id: ID!) {
      chosen: agent(id: $id) {
        ...AgentChoice
      }
    }
  `,
  [AgentChoice],
);

const AGENTS: Lookup<ResultOf<typeof AgentChoice>> = {
  type: "Agent",
  choices: AgentChoices,
  chosen: ChosenAgent,
  getUuid: ({ uuid }) => uuid,
  getName: ({ name }) => name,
  getDetail: ({ name, handle }) => (name === handle ? null : handle),
};

/** A field to choose an agent by part of its name or handle. */
export function AgentField(props: LookupFieldProps) {
  return <LookupField {...props} lookup={AGENTS} />;
}
