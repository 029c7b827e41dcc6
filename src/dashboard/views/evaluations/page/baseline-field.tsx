import { graphql } from "../../../data/graphql.ts";
import { useSearch } from "../../../data/use-search.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import type { ShownRun } from "./run-query.ts";

const SuiteRuns = graphql(`
  query SuiteRuns($suite: String!) {
    evalRuns(first: 50, filter: { suite: $suite }) {
      nodes {
        id
        uuid
        name
        createdAt
      }
    }
  }
`);

const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export type BaselineFieldProps = {
  run: ShownRun;
  name: string;
  /** The UUID of the run to compare with. "" for the run's own baseline. */
  value: string;
  onChange: (uuid: string) => void;
};

/** Chooses one of the last 50 runs of the suite. */
export function BaselineField({ run, name, value, onChange }: BaselineFieldProps) {
  const { data } = useSearch(SuiteRuns, { suite: run.suite });
  const others = (data?.evalRuns.nodes ?? []).filter(({ uuid }) => uuid !== run.uuid);
  return (
    <SelectField
      label="Compare with"
      name={name}
      value={value}
      options={[
        ["", run.baselineRunUuid === null ? "Choose a run" : "Its baseline"],
        ...others.map(
          ({ uuid, name: runName, createdAt }) =>
            [uuid, `${runName}, ${DAY.format(new Date(createdAt))}`] as const,
        ),
      ]}
      onChange={onChange}
    />
  );
}
