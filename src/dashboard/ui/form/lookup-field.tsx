import type { TadaDocumentNode } from "gql.tada";
import { useState } from "react";
import { toGlobalId, isUuid } from "../../data/global-id.ts";
import { toSearchText } from "../../data/to-search-text.ts";
import { type Search, useSearch } from "../../data/use-search.ts";
import { useSettled } from "../../data/use-settled.ts";
import { ComboboxField } from "./combobox-field.tsx";
import type { FieldProps } from "./field.tsx";
import { FilterToken } from "./filter-token.tsx";
import type { Option } from "./select-field.tsx";

type Answer<Node> = { found: { nodes: readonly Node[]; pageInfo: { hasNextPage: boolean } } };

/** A type of thing that can be chosen, and how to search for it. */
export type Lookup<Node> = {
  /** The type in its global id. */
  type: "Agent" | "Robot";
  /** Searches by name. */
  choices: TadaDocumentNode<Answer<Node>, { search?: string | null }>;
  /** Reads the chosen one. */
  chosen: TadaDocumentNode<{ chosen: Node }, { id: string }>;
  getUuid: (node: Node) => string;
  getName: (node: Node) => string;
  /** Distinguishes things of the same name, or null. */
  getDetail: (node: Node) => string | null;
  /** The lowest are shown first. Default: as they were found. */
  getRank?: (node: Node) => number;
};

const MOST_SHOWN = 20;

/** The value is a UUID, or "" for none. */
export type LookupFieldProps = FieldProps & {
  value: string;
  onChange: (uuid: string) => void;
  /** The label for no choice, such as "Anyone". */
  none: string;
};

/** A field to choose one of any number of things, searched by name on the server. */
export function LookupField<Node>({
  lookup,
  value,
  none,
  onChange,
  ...field
}: LookupFieldProps & { lookup: Lookup<Node> }) {
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = useChosenName(lookup, value);
  // When first opened, the list shows everything until other text is typed.
  const { options, note } = useChoices(lookup, typed === chosen ? "" : typed);
  const nothing: Option[] = value !== "" && (typed === chosen || typed === "") ? [["", none]] : [];
  return (
    <>
      <ComboboxField
        {...field}
        options={[...nothing, ...options]}
        chosen={chosen}
        typed={typed}
        placeholder={none}
        note={note}
        onType={setTyped}
        onChange={onChange}
      />
      <FilterToken {...field} text={chosen} />
    </>
  );
}

type Choices = { options: readonly Option[]; note: string | null };

/** @param typed null while the list is closed. */
function useChoices<Node>(lookup: Lookup<Node>, typed: string | null): Choices {
  const settled = useSettled(typed ?? "");
  const search = toSearchText(typed ?? "");
  const isUnanswerable = typed !== null && typed.trim() !== "" && search === null;
  const isAsked = typed !== null && settled === typed && !isUnanswerable;
  const answer = useSearch(lookup.choices, isAsked ? { search } : null);
  if (isUnanswerable) return { options: [], note: describeNoMatch(lookup) };
  return isAsked ? toChoices(lookup, answer) : { options: [], note: "Searching…" };
}

function toChoices<Node>(lookup: Lookup<Node>, { data, problem, isLoading }: Search<Answer<Node>>): Choices {
  if (problem !== null) return { options: [], note: problem.text };
  if (isLoading || data === null) return { options: [], note: "Searching…" };
  const { nodes, pageInfo } = data.found;
  if (nodes.length === 0) return { options: [], note: describeNoMatch(lookup) };
  const { getRank = () => 0 } = lookup;
  const ranked = nodes.toSorted((one, other) => getRank(one) - getRank(other));
  return {
    options: ranked.slice(0, MOST_SHOWN).map((node) => toOption(lookup, node)),
    note: pageInfo.hasNextPage || nodes.length > MOST_SHOWN ? "Type to find more." : null,
  };
}

function toOption<Node>({ getUuid, getName, getDetail }: Lookup<Node>, node: Node): Option {
  const detail = getDetail(node);
  return [getUuid(node), detail === null ? getName(node) : `${getName(node)} (${detail})`];
}

function describeNoMatch({ type }: Pick<Lookup<never>, "type">): string {
  return `No ${type.toLowerCase()} found.`;
}

function useChosenName<Node>({ type, chosen, getName }: Lookup<Node>, uuid: string): string {
  const { data, problem } = useSearch(chosen, isUuid(uuid) ? { id: toGlobalId(type, uuid) } : null);
  if (data !== null) return getName(data.chosen);
  if (uuid === "") return "";
  return problem === null && isUuid(uuid) ? "…" : `Unknown ${type.toLowerCase()}`;
}
