import { Link } from "wouter";
import { isUuid } from "../../../data/global-id.ts";
import type { ShownSpan } from "./span-query.ts";

/** What a span may be about, by the attribute that names it. */
const SUBJECTS = [
  ["aos.task_id", "Task", "/tasks"],
  ["aos.mission_id", "Mission", "/missions"],
  ["aos.command_id", "Command", "/commands"],
  ["aos.decision_id", "Decision", "/decisions"],
  ["aos.approval_id", "Approval", "/approvals"],
  ["aos.execution_id", "Execution", "/executions"],
] as const;

/** Links to what a span is about, as facts. A span may name what is not, or not any more. */
export function listSubjects({ attributes, resource }: Pick<ShownSpan, "attributes" | "resource">) {
  return SUBJECTS.flatMap(([key, name, path]) => {
    const id = readText(attributes, key) ?? readText(resource, key);
    if (id === null || !isUuid(id)) return [];
    const link = (
      <Link key={key} href={`${path}/${id}`}>
        View {name.toLowerCase()}
      </Link>
    );
    return [[name, link] as const];
  });
}

function readText(values: unknown, key: string): string | null {
  if (typeof values !== "object" || values === null) return null;
  const value: unknown = Object.getOwnPropertyDescriptor(values, key)?.value;
  return typeof value === "string" ? value : null;
}
