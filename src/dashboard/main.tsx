/**
 * The dashboard: a client of the public GraphQL API alone, in React, built by Vite.
 *
 * - `app/` the frame around every view: the table of views, navigation, header, palette, emergency stop.
 * - `data/` how anything is read and done: `useLiveQuery` reads a query and reads it again when an event of its
 *   types comes, `useAct` wraps a mutation, `useLive` hears events, `useUrlState` and `usePaging` keep a view's
 *   filters and page in its address. One socket and one stream of events serve the whole page.
 * - `ui/` what views are made of: page, table, chips, times, forms, dialogs, charts.
 * - `views/<name>/` one folder a view. `app/views.ts` names each in one line and loads it when it is visited.
 *
 * Styles are classes of `ui/style/`, over the tokens and parts of `src/pages/style`. There are no inline styles
 * in markup and no assets of others: the policy of the page allows neither.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { App } from "./app/app.tsx";
import { client } from "./data/client.ts";
import { followLiveEvents } from "./data/live/stream.ts";
import { keepFocus } from "./ui/keep-focus.ts";
import "./ui/style/dashboard.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
followLiveEvents();
keepFocus();
createRoot(root).render(
  <StrictMode>
    <Provider value={client}>
      <App />
    </Provider>
  </StrictMode>,
);
