import { type ChangeEvent, useState } from "react";
import { useAsk } from "../../../data/use-ask.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Field } from "../../../ui/form/field.tsx";
import { Page } from "../../../ui/page.tsx";
import { FileProblems } from "./file-problems.tsx";
import { ImportDiff } from "./import-diff.tsx";
import { PreviewPolicyFile } from "./file-queries.ts";

/** The page to make policies those of a file. */
export function ImportPage() {
  const mayImport = useIsAtLeast("ADMIN");
  return (
    <Page
      title="Import policies"
      above={{ href: "/policies", title: "Policies" }}
      lead="Policies are matched by their names. Nothing changes before you have seen what would."
    >
      {mayImport ? <Importing /> : <p>You need the admin role to import policies.</p>}
    </Page>
  );
}

/** A request has at most 512 KiB. */
const MOST_BYTES = 500_000;

function Importing() {
  const { ask, answer, isBusy, problem } = useAsk(PreviewPolicyFile);
  const [isTooLarge, setIsTooLarge] = useState(false);

  async function read({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? [];
    if (file === undefined) return;
    const text = await file.text();
    const isLarge = new Blob([JSON.stringify(text)]).size > MOST_BYTES;
    setIsTooLarge(isLarge);
    if (!isLarge) await ask({ text });
  }

  const preview = isTooLarge || isBusy ? null : (answer?.data.previewPolicyFile ?? null);
  return (
    <div className="stack">
      <div className="card stack-m policies-form">
        <Field label="File" name="file" hint="YAML or JSON, as Export and agent-ops policy export write it.">
          {(control) => (
            <input
              {...control}
              className="input"
              type="file"
              accept=".yaml,.yml,.json"
              // So that the same file can be chosen again after it was edited.
              onClick={({ currentTarget }) => (currentTarget.value = "")}
              onChange={(event) => void read(event)}
            />
          )}
        </Field>
        {isTooLarge && (
          <p className="field-error" role="alert">
            Files over 500 kB can’t be imported here. Use agent-ops policy apply.
          </p>
        )}
        <Busy isBusy={isBusy} label="Comparing it…" />
        <ErrorNote problem={problem} />
        {preview !== null && <FileProblems problems={preview.problems} />}
      </div>
      {preview?.diff && (
        <ImportDiff key={preview.diff.generation} diff={preview.diff} text={answer?.variables.text ?? ""} />
      )}
    </div>
  );
}
