/**
 * The dashboard: a React app built with Vite that uses only the public GraphQL API.
 *
 * - `app/` the layout around every view: list of views, navigation, header, palette, emergency stop.
 * - `data/` reading and writing: `useLiveQuery` runs a query and refetches it after events of its types, `useAct`
 *   wraps a mutation, `useLive` follows events, `useUrlState` and `usePaging` keep a view's filters and page in the
 *   URL. The whole page shares one socket and one event stream.
 * - `ui/` components for views: page, table, chips, times, forms, dialogs, charts.
 * - `views/<name>/` one folder per view. `app/views.ts` lists them; each is loaded when first visited.
 *
 * Styles are classes in `ui/style/`, on top of the tokens and parts in `src/pages/style`. The content security policy
 * allows neither inline styles in markup nor external assets.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { App } from "./app/app.tsx";
import { runKeptAct } from "./app/palette/pending-act.ts";
import { findView } from "./app/views.ts";
import { client } from "./data/client.ts";
import { followLiveEvents } from "./data/live/stream.ts";
import { keepFocus } from "./ui/keep-focus.ts";
import { keepWindowTitle } from "./ui/window-title.ts";
import "./ui/style/dashboard.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
findView(window.location.pathname)?.Component.load();
followLiveEvents();
keepFocus();
keepWindowTitle();
runKeptAct();
createRoot(root).render(
  <StrictMode>
    <Provider value={client}>
      <App />
    </Provider>
  </StrictMode>,
);
