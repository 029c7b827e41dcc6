import type { CombinedError } from "urql";

/** Why an action failed, for display. */
export type UserProblem = {
  text: string;
  /** The GraphQL error code, such as FORBIDDEN, or UNREACHABLE without a response. */
  code: string;
  /** Messages by input field. */
  fields: Readonly<Record<string, string>>;
};

const UNREACHABLE: UserProblem = {
  text: "The server can't be reached. Try again in a moment. What is shown may be outdated.",
  code: "UNREACHABLE",
  fields: {},
};

/** Converts a request error to a displayable problem. */
export function toProblem(error: CombinedError): UserProblem {
  const [first] = error.graphQLErrors;
  if (first === undefined) return UNREACHABLE;
  const { code, field, errors } = first.extensions;
  const own: [string, string][] = typeof field === "string" ? [[field, first.message]] : [];
  const fields = Object.fromEntries([...own, ...(Array.isArray(errors) ? errors.flatMap(toFieldEntry) : [])]);
  return { text: first.message, code: typeof code === "string" ? code : "INTERNAL", fields };
}

function toFieldEntry(entry: unknown): [string, string][] {
  if (typeof entry !== "object" || entry === null) return [];
  if (!("field" in entry) || typeof entry.field !== "string") return [];
  return "detail" in entry && typeof entry.detail === "string" ? [[entry.field, entry.detail]] : [];
}
