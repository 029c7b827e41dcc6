import type { ResultOf } from "gql.tada";
import { showNotice } from "../../../ui/notice.tsx";
import type { GrantApproval } from "./approval-mutations.ts";

/** Says whether that was enough. */
export function noteGrant({ grantApproval: { approval } }: ResultOf<typeof GrantApproval>): void {
  showNotice(
    approval.status === "PENDING" ? "You approved it. Another person has to approve it, too." : "Approved.",
  );
}
