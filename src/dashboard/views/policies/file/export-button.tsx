import { useClient } from "urql";
import { useState } from "react";
import { type UserProblem, toProblem } from "../../../data/problem.ts";
import { saveFile } from "../../../data/save-file.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { PolicyFileQuery } from "./file-queries.ts";

/** Downloads all policies as a file, as `agent-ops policy export` writes it. */
export function ExportButton() {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<UserProblem | null>(null);

  async function save(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const { data, error } = await client.query(PolicyFileQuery, {}, { requestPolicy: "network-only" });
    setIsBusy(false);
    setProblem(error === undefined ? null : toProblem(error));
    if (data !== undefined) saveFile("policies.yaml", "application/yaml", data.policyFile.text);
  }

  return (
    <>
      <button type="button" className="button" aria-disabled={isBusy} onClick={() => void save()}>
        Export
      </button>
      <ErrorNote problem={problem} />
    </>
  );
}
