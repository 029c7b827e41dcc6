import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL } from "graphiql";
import { createClient } from "graphql-ws";
import { type ReactNode, useEffect } from "react";
import { labelEditors } from "./label-editors.ts";

const FIRST_QUERY = `# What you run here happens, with your rights.
# Ctrl-Enter runs, Ctrl-Space completes.
query FirstTasks {
  viewer {
    actor {
      name
    }
  }
  tasks(first: 5) {
    totalCount
    nodes {
      uuid
      title
      status
    }
  }
}
`;

/** Operations go by POST, subscriptions by socket, both with the session's cookie. */
const fetcher = createGraphiQLFetcher({
  url: "/graphql",
  enableIncrementalDelivery: false,
  wsClient: createClient({ url: `${window.location.origin.replace(/^http/, "ws")}/graphql` }),
});

/** The page: GraphiQL under a header. Headers can't be edited, so that no token is ever kept by the browser. */
export function Explorer(): ReactNode {
  useEffect(labelEditors, []);
  return (
    <>
      <header className="explorer-header">
        <h1>GraphQL explorer</h1>
        <a href="/">Dashboard</a>
        <a href="/api/v1/docs">REST API</a>
      </header>
      <main>
        <GraphiQL
          fetcher={fetcher}
          defaultQuery={FIRST_QUERY}
          forcedTheme={readTheme()}
          isHeadersEditorEnabled={false}
          showPersistHeadersSettings={false}
        >
          <GraphiQL.Logo>
            <span />
          </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </>
  );
}

/** What the person chose in the dashboard's menu. */
function readTheme(): "light" | "dark" | "system" {
  const [, chosen] = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie) ?? [];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}
