import type { ReactNode } from "react";
import type { LiveQuery } from "../data/use-live-query.ts";
import { Busy } from "../ui/busy.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Page, type PageProps } from "../ui/page.tsx";
import { NotFound } from "./not-found.tsx";

export type OnePageProps<Data> = {
  /** The type of thing, such as "task". */
  what: string;
  above: NonNullable<PageProps["above"]>;
  query: LiveQuery<Data>;
  children: (data: Data) => ReactNode;
};

/** Loads one thing and renders its page. Shows an error if it doesn't exist or can't be loaded. */
export function OnePage<Data>({ what, above, query, children }: OnePageProps<Data>) {
  const { data, problem, isLoading, refresh } = query;
  if (problem?.code === "NOT_FOUND") return <NotFound what={what} />;
  if (data === null) {
    return (
      <Page title={what.charAt(0).toUpperCase() + what.slice(1)} above={above}>
        <ErrorNote problem={problem} onRetry={refresh} />
        <Busy isBusy={isLoading} lines={6} />
      </Page>
    );
  }
  return (
    <>
      <ErrorNote problem={problem} onRetry={refresh} />
      {children(data)}
    </>
  );
}
