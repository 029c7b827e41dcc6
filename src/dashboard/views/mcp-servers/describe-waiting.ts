import type { WaitingMcpServer } from "../../data/use-waiting-mcp-servers.ts";
import { formatCount } from "../../ui/words.ts";

/** Such as "1 changed tool, 2 new tools". */
export function describeWaiting({ toolCounts }: Pick<WaitingMcpServer, "toolCounts">): string {
  const { pending, changed } = toolCounts;
  const parts = [
    changed > 0 && formatCount(changed, "changed tool"),
    pending > 0 && formatCount(pending, "new tool"),
  ];
  return parts.filter(Boolean).join(", ");
}
