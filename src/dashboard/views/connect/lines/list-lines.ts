import { toHookSettings } from "./to-hook-settings.ts";

/** Lines for one way to connect. */
export type LineGroup = {
  title: string;
  about: string;
  lines: readonly { where: string; text: string }[];
};

/** What to paste where, for a server and a key. */
export function listLines(origin: string, key: string): LineGroup[] {
  return [
    listMcpLines(origin, key),
    listRestLines(origin, key),
    listTraceLines(origin, key),
    listHookLines(origin, key),
  ];
}

function listMcpLines(origin: string, key: string): LineGroup {
  const url = `${origin}/mcp`;
  const header = `"Authorization: Bearer ${key}"`;
  const headers = { Authorization: `Bearer ${key}` };
  return {
    title: "MCP clients",
    about: "The agent gets tools to work from queues, to ask people, and to ask before it acts.",
    lines: [
      {
        where: "Claude Code",
        text: `claude mcp add --transport http ops ${url} --header ${header}`,
      },
      {
        where: "Gemini CLI",
        text: `gemini mcp add --transport http --header ${header} ops ${url}`,
      },
      {
        where: "Codex",
        text: `export AGENT_OPS_TOKEN=${key}\ncodex mcp add ops --url ${url} --bearer-token-env-var AGENT_OPS_TOKEN`,
      },
      {
        where: "Cursor (~/.cursor/mcp.json) and others",
        text: toJson({ mcpServers: { ops: { type: "http", url, headers } } }),
      },
      {
        where: "VS Code (.vscode/mcp.json)",
        text: toJson({ servers: { ops: { type: "http", url, headers } } }),
      },
      {
        where: "Clients that only run commands",
        text: `npx mcp-remote ${url} --header ${header}`,
      },
    ],
  };
}

function listRestLines(origin: string, key: string): LineGroup {
  return {
    title: "REST API",
    about: "For an agent of your own. It is described at /api/v1/docs.",
    lines: [
      {
        where: "Who it is",
        text: `curl ${origin}/api/v1/whoami -H "Authorization: Bearer ${key}"`,
      },
      {
        where: "Its next task",
        text: [
          `curl ${origin}/api/v1/tasks/claim -H "Authorization: Bearer ${key}" \\`,
          `  -H "Content-Type: application/json" -d '{"queues":["default"],"wait":25}'`,
        ].join("\n"),
      },
    ],
  };
}

function listTraceLines(origin: string, key: string): LineGroup {
  return {
    title: "OpenTelemetry",
    about:
      "Any SDK sends its spans with two variables, as OTLP over HTTP. It needs the purpose “Send traces”.",
    lines: [
      {
        where: "The agent’s environment",
        text: [
          `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}`,
          `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer ${key}"`,
        ].join("\n"),
      },
    ],
  };
}

function listHookLines(origin: string, key: string): LineGroup {
  return {
    title: "Hooks of coding agents",
    about: "Policies decide before the coding agent uses a tool. It needs the purpose “Ask before it acts”.",
    lines: [
      {
        where: "The environment of coding agents",
        text: `export AGENT_OPS_URL=${origin}\nexport AGENT_OPS_TOKEN=${key}`,
      },
      { where: "Settings with hooks over HTTP", text: toJson(toHookSettings(origin)) },
    ],
  };
}

function toJson(value: object): string {
  return JSON.stringify(value, null, 2);
}
