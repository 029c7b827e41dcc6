import { Link } from "wouter";
import { Page } from "../ui/page.tsx";

/** Says that there is nothing at an address, or no such thing as it names. */
export function NotFound({ what }: { what: string }) {
  return (
    <Page title={`There is no such ${what}`} lead="The address may be mistyped, or what it showed is gone.">
      <p>
        <Link href="/">Go to the start</Link>
      </p>
    </Page>
  );
}
