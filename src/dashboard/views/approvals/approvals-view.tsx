import { useRef, useState } from "react";
import { useRoute } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { useUrlState } from "../../data/use-url-state.ts";
import { Filters } from "../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../ui/form/select-field.tsx";
import { Page } from "../../ui/page.tsx";
import { useKeys } from "../../ui/use-keys.ts";
import type { ApprovalItem } from "./approval-fields.ts";
import "./approvals.css";
import { ApprovalCard } from "./card/approval-card.tsx";
import { KeysDialog } from "./keys/keys-dialog.tsx";
import { useListKeys } from "./keys/use-list-keys.ts";
import { ApprovalList } from "./list/approval-list.tsx";
import { findApprovalStatus, useApprovals } from "./list/use-approvals.ts";

/** What agents ask people: a list, and next to it one of them. */
export function ApprovalsView() {
  const [isAny] = useRoute("/approvals");
  const [isOne, params] = useRoute("/approvals/:uuid");
  if (isAny) return <Approvals open={null} />;
  if (!isOne || !isUuid(params.uuid)) return <NotFound what="approval" />;
  return <Approvals open={params.uuid} />;
}

const STATUS_OPTIONS: readonly Option[] = [
  ["", "Waiting"],
  ["APPROVED", "Approved"],
  ["DENIED", "Denied"],
  ["EXPIRED", "Expired"],
  ["CANCELLED", "Cancelled"],
];

function Approvals({ open }: { open: string | null }) {
  const { values, bind } = useUrlState({ status: "" });
  const status = findApprovalStatus(values.status);
  const listed = useApprovals(status);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const items = listed.items ?? [];
  const next = findNext(items, open);

  useListKeys({ list, items, open, next });
  useKeys({ "?": () => setIsHelpOpen(true) });

  return (
    <Page
      title="Approvals"
      action={
        <button
          type="button"
          className="button button-small approvals-help"
          onClick={() => setIsHelpOpen(true)}
        >
          Keys <kbd>?</kbd>
        </button>
      }
    >
      <div className={open === null ? "approvals" : "approvals approvals-open"}>
        <div className="approvals-list stack-m">
          <Filters>
            <SelectField label="Status" options={STATUS_OPTIONS} {...bind("status")} />
          </Filters>
          <ApprovalList status={status} listed={listed} open={open} ref={list} />
        </div>
        {open === null ? (
          <p className="approvals-none soft">Open one to see what the agent would do.</p>
        ) : (
          <ApprovalCard key={open} uuid={open} next={next?.uuid ?? null} />
        )}
      </div>
      <KeysDialog isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </Page>
  );
}

/** The next item that waits after the open one, from the top after the last. */
function findNext(items: readonly ApprovalItem[], open: string | null): ApprovalItem | null {
  const at = items.findIndex(({ uuid }) => uuid === open);
  const later = [...items.slice(at + 1), ...items.slice(0, Math.max(at, 0))];
  return later.find(({ status }) => status === "PENDING") ?? null;
}
