import type { CombinedError } from "urql";

/** Why something was refused or could not be done, for people. */
export type UserProblem = {
  text: string;
  /** GraphQL's code, such as FORBIDDEN; UNREACHABLE where no answer came. */
  code: string;
  /** Texts by the input field that they are about. */
  fields: Readonly<Record<string, string>>;
};

const UNREACHABLE: UserProblem = {
  text: "The server can't be reached. What you see may be old.",
  code: "UNREACHABLE",
  fields: {},
};

/** Makes of a request's error what people can read. */
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
