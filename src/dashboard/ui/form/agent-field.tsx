import { useState } from "react";
import { globalId, isUuid } from "../../data/global-id.ts";
import { graphql } from "../../data/graphql.ts";
import { searchText } from "../../data/search-text.ts";
import { useSearch } from "../../data/use-search.ts";
import { useSettled } from "../../data/use-settled.ts";
import { ComboboxField } from "./combobox-field.tsx";
import type { FieldProps } from "./field.tsx";
import type { Option } from "./select-field.tsx";

const AgentChoices = graphql(`
  query AgentChoices($search: String) {
    agents(first: 20, filter: { archived: false, search: $search }) {
      nodes {
        uuid
        name
        handle
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

const ChosenAgent = graphql(`
  query ChosenAgent($id: ID!) {
    agent(id: $id) {
      uuid
      name
    }
  }
`);

/** An agent's uuid, "" for none, and who is told of another. */
export type AgentFieldProps = FieldProps & {
  value: string;
  onChange: (uuid: string) => void;
  /** What it is where no agent is chosen, such as "Anyone". */
  none: string;
};

/** A field for an agent, which is found on the server by a part of its name or handle. */
export function AgentField({ value, none, onChange, ...field }: AgentFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = useChosenName(value);
  // Who opens the list sees all of them, until something else is typed.
  const { agents, note } = useChoices(typed === chosen ? "" : typed);
  const nobody: Option[] = value !== "" && (typed === chosen || typed === "") ? [["", none]] : [];
  return (
    <ComboboxField
      {...field}
      options={[...nobody, ...agents]}
      chosen={chosen}
      typed={typed}
      placeholder={none}
      note={note}
      onType={setTyped}
      onChange={onChange}
    />
  );
}

/** @param typed null while nobody chooses. */
function useChoices(typed: string | null): { agents: readonly Option[]; note: string | null } {
  const settled = useSettled(typed ?? "");
  const isAsked = typed !== null && settled === typed;
  const search = searchText(typed ?? "");
  const isUnanswerable = typed !== null && typed.trim() !== "" && search === null;
  const { data, problem, isLoading } = useSearch(
    AgentChoices,
    isAsked && !isUnanswerable ? { search } : null,
  );
  const agents = data?.agents.nodes.map(({ uuid, name, handle }): Option => [
    uuid,
    name === handle ? name : `${name} (${handle})`,
  ]);
  if (problem !== null) return { agents: [], note: problem.text };
  if (isLoading || (!isAsked && !isUnanswerable)) return { agents: [], note: "Looking…" };
  if (agents === undefined || agents.length === 0) return { agents: [], note: "No agent is called so." };
  return { agents, note: data?.agents.pageInfo.hasNextPage === true ? "Type for others." : null };
}

function useChosenName(uuid: string): string {
  const { data, problem } = useSearch(ChosenAgent, isUuid(uuid) ? { id: globalId("Agent", uuid) } : null);
  if (data !== null) return data.agent.name;
  if (uuid === "") return "";
  return problem === null && isUuid(uuid) ? "…" : "An unknown agent";
}
