import { Client, type CombinedError, cacheExchange, fetchExchange, mapExchange } from "urql";
import { sessionEnd } from "./session.ts";

/** The client for POST /graphql, authenticated by the session. */
export const client = new Client({
  url: "/graphql",
  preferGetMethod: false,
  fetchOptions: { credentials: "same-origin" },
  requestPolicy: "cache-and-network",
  exchanges: [mapExchange({ onError: noteSessionEnd }), cacheExchange, fetchExchange],
});

function noteSessionEnd(error: CombinedError): void {
  const codes = error.graphQLErrors.map(({ extensions }) => extensions["code"]);
  if (codes.includes("UNAUTHENTICATED")) sessionEnd.set("logged-out");
  if (codes.includes("MFA_REQUIRED")) sessionEnd.set("needs-factor");
  if (codes.includes("WORKSPACE_SUSPENDED")) sessionEnd.set("suspended");
}
