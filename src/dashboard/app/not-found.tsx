import { Link } from "wouter";
import { Page } from "../ui/page.tsx";

/** Shown for an unknown path or id. */
export function NotFound({ what }: { what: string }) {
  return (
    <Page
      title={`This ${what} doesn’t exist`}
      lead="The address may be mistyped, or it may have been deleted."
    >
      <p>
        <Link href="/">Go to the dashboard</Link>
      </p>
    </Page>
  );
}
