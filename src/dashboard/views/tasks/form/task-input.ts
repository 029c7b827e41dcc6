import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { parseJson } from "../../commands/form/parse-json.ts";

/** Entered values. "" means not set. */
export type TypedTask = Readonly<
  Record<
    "title" | "text" | "data" | "queue" | "assigneeAgentId" | "priority" | "maxAttempts" | "deadlineAt",
    string
  >
>;

export const EMPTY_TASK: TypedTask = {
  title: "",
  text: "",
  data: "",
  queue: "",
  assigneeAgentId: "",
  priority: "",
  maxAttempts: "",
  deadlineAt: "",
};

/** The error for invalid JSON. */
export const BAD_DATA: UserProblem = {
  text: "Some fields are invalid.",
  code: "TYPED",
  fields: { data: "Enter valid JSON." },
};

/** The input of createTask. Null if the data is not valid JSON. */
export function toTaskInput(typed: TypedTask) {
  const { title, text, queue, assigneeAgentId, priority, maxAttempts, deadlineAt } = typed;
  const data = typed.data.trim() === "" ? null : parseJson(typed.data);
  if (data?.isValid === false) return null;
  return {
    title,
    input: [...(text.trim() === "" ? [] : [{ text }]), ...(data === null ? [] : [{ data: data.value }])],
    ...(queue.trim() !== "" && { queue: queue.trim() }),
    ...(assigneeAgentId !== "" && { assigneeAgentId: toGlobalId("Agent", assigneeAgentId) }),
    ...(priority !== "" && { priority: Number(priority) }),
    ...(maxAttempts !== "" && { maxAttempts: Number(maxAttempts) }),
    ...(deadlineAt !== "" && { deadlineAt: new Date(deadlineAt).toISOString() }),
  };
}
