import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { LinkSwitch } from "../../../ui/link-switch.tsx";
import { Page } from "../../../ui/page.tsx";
import { CallsTab } from "../calls/calls-tab.tsx";
import { HealthChip } from "../health-chip.tsx";
import { McpServerQuery, SERVER_FRESHNESS, type ShownServer } from "../server-fields.ts";
import { SettingsTab } from "../settings/settings-tab.tsx";
import { ToolsTab } from "../tools/tools-tab.tsx";

const ABOVE = { href: "/mcp-servers", title: "MCP servers" };

export type ServerTab = "tools" | "calls" | "settings";

/** One MCP server: its tools, their calls, or its settings. */
export function ServerPage({ uuid, tab }: { uuid: string; tab: ServerTab }) {
  const query = useLiveQuery(McpServerQuery, { id: toGlobalId("McpServer", uuid) }, SERVER_FRESHNESS);
  return (
    <OnePage what="MCP server" above={ABOVE} query={query}>
      {({ mcpServer: server }) => (
        <Page title={server.name} above={ABOVE} lead={<Lead server={server} />}>
          <Problem server={server} />
          <Tabs uuid={uuid} tab={tab} />
          {tab === "tools" && <ToolsTab server={server} />}
          {tab === "calls" && <CallsTab server={server} />}
          {tab === "settings" && <SettingsTab server={server} />}
        </Page>
      )}
    </OnePage>
  );
}

function Lead({ server }: { server: ShownServer }) {
  return (
    <span className="in-line">
      <code>{server.slug}</code>
      <span>{new URL(server.url).host}</span>
      <HealthChip server={server} />
      {!server.enabled && <span className="badge">disabled</span>}
    </span>
  );
}

/** Why the last request failed, such as the rule that refused an address. */
function Problem({ server: { lastError } }: { server: ShownServer }) {
  if (lastError === null) return null;
  return (
    <p className="notice notice-bad mcp-text" role="status">
      {lastError}
    </p>
  );
}

function Tabs({ uuid, tab }: { uuid: string; tab: ServerTab }) {
  const home = `/mcp-servers/${uuid}`;
  return (
    <LinkSwitch
      label="Parts of the server"
      links={[
        { href: home, label: "Tools", isCurrent: tab === "tools" },
        { href: `${home}/calls`, label: "Calls", isCurrent: tab === "calls" },
        { href: `${home}/settings`, label: "Settings", isCurrent: tab === "settings" },
      ]}
    />
  );
}
