import { useState } from "react";
import { useClient } from "urql";
import type { UserProblem } from "../../../data/problem.ts";
import { saveFile } from "../../../data/save-file.ts";
import { ErrorNote } from "../../error-note.tsx";
import { showNotice } from "../../notice.tsx";
import { formatCount } from "../../words.ts";
import { toCsv } from "./csv.ts";
import { DropDown } from "../../drop-down.tsx";
import { type ListSource, MAX_ROWS, fetchRows } from "./fetch-rows.ts";

export type ExportMenuProps<Data> = {
  /** What is listed, singular and plural. The file is named by it. */
  one: string;
  many: string;
  source: ListSource<Data>;
};

type Format = {
  label: string;
  extension: string;
  type: string;
  write: (rows: readonly object[]) => string;
};

const FORMATS: readonly Format[] = [
  { label: "CSV", extension: "csv", type: "text/csv", write: toCsv },
  {
    label: "JSON",
    extension: "json",
    type: "application/json",
    write: (rows) => `${JSON.stringify(rows, null, 2)}\n`,
  },
];

/** Saves the whole filtered list as a file. */
export function ExportMenu<Data>({ one, many, source }: ExportMenuProps<Data>) {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<UserProblem | null>(null);

  async function save({ extension, type, write }: Format): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const read = await fetchRows(client, source, MAX_ROWS);
    setIsBusy(false);
    setProblem("problem" in read ? read.problem : null);
    if ("problem" in read) return;
    saveFile(`${many.replaceAll(" ", "-")}.${extension}`, type, write(read.rows));
    const saved = formatCount(read.rows.length, one, many);
    showNotice(
      read.isWhole ? `Saved ${saved}.` : `Saved the first ${saved}; an export has at most ${MAX_ROWS}.`,
    );
  }

  return (
    <DropDown label="Export" icon="download">
      {FORMATS.map((format) => (
        <button
          key={format.label}
          type="button"
          className="button button-small"
          aria-disabled={isBusy}
          onClick={() => void save(format)}
        >
          {isBusy ? "Working…" : `Save as ${format.label}`}
        </button>
      ))}
      <ErrorNote problem={problem} />
    </DropDown>
  );
}
