import { toWords } from "../../../../ui/words.ts";
import type { TaskEvent } from "./time-line-query.ts";

const SENTENCES: Readonly<Record<string, string>> = {
  "task.lease_expired": "Lease expired",
  "task.cancel_requested": "Cancel requested",
  "trace.score_deleted": "Deleted",
};

/** Says what happened to a task. */
export function toSentence({ type, data }: TaskEvent): string {
  const [, happened = ""] = type.split(".");
  const { status, attempt, name } = readState(data);
  if (type === "trace.scored" && name !== null) return name;
  if (happened === "updated" && status !== null) return `Now ${toWords(status)}`;
  const said = SENTENCES[type] ?? capitalize(toWords(happened));
  return happened === "claimed" && attempt !== null ? `${said}, attempt ${attempt}` : said;
}

function readState(data: unknown): { status: string | null; attempt: number | null; name: string | null } {
  if (typeof data !== "object" || data === null) return { status: null, attempt: null, name: null };
  return {
    status: "status" in data && typeof data.status === "string" ? data.status : null,
    name: "name" in data && typeof data.name === "string" ? data.name : null,
    attempt: "attempt" in data && typeof data.attempt === "number" ? data.attempt : null,
  };
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
