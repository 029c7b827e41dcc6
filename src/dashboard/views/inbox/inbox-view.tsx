import { useRef, useState } from "react";
import { useClient } from "urql";
import { useLocation, useRoute } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { KeysButton } from "../../app/shortcuts/keys-button.tsx";
import { type ShortcutGroup, useShortcuts } from "../../app/shortcuts/shortcuts.ts";
import { isUuid } from "../../data/global-id.ts";
import { setArchived } from "../../data/inbox-archive.ts";
import type { UserProblem } from "../../data/problem.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { useUrlState } from "../../data/use-url-state.ts";
import { INBOX_FRESHNESS, useWaitingKeys } from "../../data/use-waiting-keys.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Filters } from "../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../ui/form/select-field.tsx";
import { ListDetail } from "../../ui/list-detail/list-detail.tsx";
import { Page } from "../../ui/page.tsx";
import { InboxList } from "./inbox-list.tsx";
import { InboxQuery, toInboxItems } from "./inbox-query.ts";
import "./inbox.css";
import { NoticesField } from "./notices-field.tsx";
import { QuestionCard } from "./question-card.tsx";
import { focusRow, useInboxKeys } from "./use-inbox-keys.ts";

/** What waits for people: a list, and next to it a question. */
export function InboxView() {
  const [isAny] = useRoute("/inbox");
  const [isOne, params] = useRoute("/inbox/:uuid");
  if (isAny) return <Inbox open={null} />;
  if (!isOne || !isUuid(params.uuid)) return <NotFound what="question" />;
  return <Inbox open={params.uuid} />;
}

const SHOW_OPTIONS: readonly Option[] = [
  ["", "Waiting"],
  ["archived", "Archived by me"],
];

const SHORTCUTS: ShortcutGroup = {
  title: "Inbox",
  keys: [
    ["j k", "Next and previous in the list"],
    ["Enter", "Open it"],
    ["a", "Answer the question"],
    ["e", "Archive it, or bring it back"],
    ["Ctrl Enter", "Send the answer, and go to the next"],
  ],
};

function Inbox({ open }: { open: string | null }) {
  const { values, bind } = useUrlState({ show: "" });
  const isArchive = values.show === "archived";
  const query = useLiveQuery(InboxQuery, {}, INBOX_FRESHNESS);
  const { archived, refresh } = useWaitingKeys();
  const client = useClient();
  const [problem, setProblem] = useState<UserProblem | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const [, go] = useLocation();
  const items =
    query.data === null
      ? null
      : toInboxItems(query.data).filter(({ key }) => archived.has(key) === isArchive);
  useShortcuts(SHORTCUTS);
  useInboxKeys({ list, items: items ?? [], open, onArchive: ({ key }) => void toggle(key) });

  async function toggle(key: string): Promise<void> {
    setProblem(await setArchived(client, key, !archived.has(key)));
    refresh();
  }

  /** Opens the next question after the answered one, and moves the focus to it in the list. */
  function goToNext(): void {
    const at = items?.findIndex(({ uuid }) => uuid === open) ?? -1;
    const rest = items?.filter(({ uuid }) => uuid !== open) ?? [];
    const next = rest[Math.max(at, 0)] ?? rest[0];
    go(next?.kind === "Question" ? next.href : "/inbox");
    if (next !== undefined) focusRow(list.current, next.uuid);
  }

  return (
    <Page title="Inbox" action={<KeysButton />}>
      <ErrorNote problem={problem} />
      <ListDetail
        list={
          <>
            <Filters>
              <SelectField label="Show" options={SHOW_OPTIONS} {...bind("show")} />
            </Filters>
            <InboxList query={query} items={items} open={open} isArchive={isArchive} ref={list} />
            <NoticesField />
          </>
        }
        detail={open === null ? null : <QuestionCard key={open} uuid={open} onAnswered={goToNext} />}
        none="Open a question to answer it here. The others open on their pages."
      />
    </Page>
  );
}
