import { Page } from "../../../ui/page.tsx";
import { TestRequest } from "./test-request.tsx";

/** The page to test the policies as they are. */
export function TestPage() {
  return (
    <Page title="Test policies" above={{ href: "/policies", title: "Policies" }}>
      <TestRequest changes={null} />
    </Page>
  );
}
