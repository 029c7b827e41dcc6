import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { NewServerPage } from "./form/new-server-page.tsx";
import { ServerList } from "./list/server-list.tsx";
import "./mcp-servers.css";
import { ServerPage } from "./page/server-page.tsx";
import { ReviewPage } from "./tools/review-page.tsx";
import { ToolPage } from "./tools/tool-page.tsx";

/** The list of MCP servers, one server with its tools, calls and settings, and the reviews of tools. */
export function McpServersView() {
  return (
    <Switch>
      <Route path="/mcp-servers">
        <ServerList />
      </Route>
      <Route path="/mcp-servers/new">
        <NewServerPage />
      </Route>
      <Route path="/mcp-servers/:uuid/review">
        {({ uuid }) => (isUuid(uuid) ? <ReviewPage key={uuid} uuid={uuid} /> : <NoServer />)}
      </Route>
      <Route path="/mcp-servers/:uuid/tools/:tool">
        {({ uuid, tool }) =>
          isUuid(uuid) && isUuid(tool) ? <ToolPage key={tool} uuid={tool} serverUuid={uuid} /> : <NoServer />
        }
      </Route>
      <Route path="/mcp-servers/:uuid/calls">
        {({ uuid }) => (isUuid(uuid) ? <ServerPage key={uuid} uuid={uuid} tab="calls" /> : <NoServer />)}
      </Route>
      <Route path="/mcp-servers/:uuid/settings">
        {({ uuid }) => (isUuid(uuid) ? <ServerPage key={uuid} uuid={uuid} tab="settings" /> : <NoServer />)}
      </Route>
      <Route path="/mcp-servers/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <ServerPage key={uuid} uuid={uuid} tab="tools" /> : <NoServer />)}
      </Route>
      <Route>
        <NoServer />
      </Route>
    </Switch>
  );
}

function NoServer() {
  return <NotFound what="MCP server" />;
}
