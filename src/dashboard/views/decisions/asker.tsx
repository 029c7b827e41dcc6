import { Link } from "wouter";
import { type Asking, getAskerName } from "./get-asker-name.ts";

/** Who asked: an agent with a link, or a person. */
export function Asker({ asking }: { asking: Asking }) {
  const name = getAskerName(asking);
  return asking.agentUuid === null ? (
    <span>{name}</span>
  ) : (
    <Link href={`/agents/${asking.agentUuid}`}>{name}</Link>
  );
}
