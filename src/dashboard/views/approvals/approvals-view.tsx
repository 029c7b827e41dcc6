import { useRef } from "react";
import { useRoute } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { KeysButton } from "../../app/shortcuts/keys-button.tsx";
import { type ShortcutGroup, useShortcuts } from "../../app/shortcuts/shortcuts.ts";
import { isUuid } from "../../data/global-id.ts";
import { useUrlState } from "../../data/use-url-state.ts";
import { Filters } from "../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../ui/form/select-field.tsx";
import { ListDetail } from "../../ui/list-detail/list-detail.tsx";
import { Page } from "../../ui/page.tsx";
import type { ApprovalItem } from "./approval-fields.ts";
import "./approvals.css";
import { ApprovalCard } from "./card/approval-card.tsx";
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

const SHORTCUTS: ShortcutGroup = {
  title: "Approvals",
  keys: [
    ["j k", "Next and previous in the list"],
    ["Enter", "Open it"],
    ["a", "Approve what is open; twice where admins decide"],
    ["d", "Deny it, with a reason"],
    ["e", "Edit its arguments and approve, where that is allowed"],
    [".", "Open the next that waits"],
  ],
};

function Approvals({ open }: { open: string | null }) {
  const { values, bind } = useUrlState({ status: "" });
  const status = findApprovalStatus(values.status);
  const listed = useApprovals(status);
  const list = useRef<HTMLUListElement>(null);
  const items = listed.items ?? [];
  const next = findNext(items, open);

  useListKeys({ list, items, open, next });
  useShortcuts(SHORTCUTS);

  return (
    <Page title="Approvals" action={<KeysButton />}>
      <ListDetail
        list={
          <>
            <Filters>
              <SelectField label="Status" options={STATUS_OPTIONS} {...bind("status")} />
            </Filters>
            <ApprovalList status={status} listed={listed} open={open} ref={list} />
          </>
        }
        detail={open === null ? null : <ApprovalCard key={open} uuid={open} next={next?.uuid ?? null} />}
        none="Open one to see what the agent would do."
      />
    </Page>
  );
}

/** The next item that waits after the open one, from the top after the last. */
function findNext(items: readonly ApprovalItem[], open: string | null): ApprovalItem | null {
  const at = items.findIndex(({ uuid }) => uuid === open);
  const later = [...items.slice(at + 1), ...items.slice(0, Math.max(at, 0))];
  return later.find(({ status }) => status === "PENDING") ?? null;
}
