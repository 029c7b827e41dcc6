import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { parseJson } from "../../commands/form/parse-json.ts";

/** A new task as it is typed; "" for what is left out. */
export type TypedTask = Readonly<
  Record<
    "title" | "text" | "data" | "queue" | "assigneeAgentId" | "priority" | "maxAttempts" | "deadlineAt",
    string
  >
>;

/** Nothing typed yet. */
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

/** What is told where the data is no JSON. */
export const BAD_DATA: UserProblem = {
  text: "The data is not JSON.",
  code: "TYPED",
  fields: { data: "This is not JSON." },
};

/** The input of createTask; null where the data is no JSON. */
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
