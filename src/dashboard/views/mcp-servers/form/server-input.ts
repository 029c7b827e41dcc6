import type { UserProblem } from "../../../data/problem.ts";
import type { ShownServer } from "../server-fields.ts";

/** Entered values. "" means the default. */
export type TypedServer = { name: string; url: string; holdSeconds: string; enabled: boolean };

export type ChangeServer = (changes: Partial<TypedServer>) => void;

export const EMPTY_SERVER: TypedServer = { name: "", url: "", holdSeconds: "", enabled: true };

/** A stored server as it would be entered. */
export function toTypedServer({ name, url, holdSeconds, enabled }: ShownServer): TypedServer {
  return { name, url, holdSeconds: String(holdSeconds), enabled };
}

type ServerInput = { name: string; url: string; enabled: boolean; holdSeconds?: number };

/** Parses what was entered. What is no number is found here, everything else by the server. */
export function toServerInput({ name, url, holdSeconds, enabled }: TypedServer): {
  input: ServerInput;
  problem: UserProblem | null;
} {
  const input = { name: name.trim(), url: url.trim(), enabled };
  const text = holdSeconds.trim();
  if (text === "") return { input, problem: null };
  if (/^\d{1,6}$/.test(text)) return { input: { ...input, holdSeconds: Number(text) }, problem: null };
  const fields = { holdSeconds: "Enter a whole number of seconds." };
  return { input, problem: { text: "Some fields are invalid.", code: "TYPED", fields } };
}
