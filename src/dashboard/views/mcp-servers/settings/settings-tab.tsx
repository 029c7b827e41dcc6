import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { ShownServer } from "../server-fields.ts";
import { Connection } from "./connection.tsx";
import { Credential } from "./credential.tsx";
import { DeleteServer } from "./delete-server.tsx";
import { EditServer } from "./edit-server.tsx";

/** A server's settings. Only admins can change them. */
export function SettingsTab({ server }: { server: ShownServer }) {
  const mayChange = useIsAtLeast("ADMIN");
  return (
    <div className="with-aside">
      <div className="stack">
        <Connection server={server} />
        <Credential server={server} />
        {mayChange && <EditServer newest={server} />}
        {mayChange && <DeleteServer server={server} />}
      </div>
      <section className="card" aria-label="Details">
        <Facts
          facts={[
            [
              "URL",
              <span key="url" className="mcp-text">
                {server.url}
              </span>,
            ],
            [
              "For agents",
              <code
                key="proxy"
                className="mcp-text"
              >{`${window.location.origin}/mcp/proxy/${server.slug}`}</code>,
            ],
            ["Enabled", server.enabled ? "Yes" : "No: nobody can call its tools"],
            ["Waits for people", `${server.holdSeconds} s`],
            ["Version", String(server.generation)],
            ["Registered", <When key="created" at={server.createdAt} by={server.createdBy.name} />],
            ["Changed", <When key="updated" at={server.updatedAt} by={server.updatedBy.name} />],
          ]}
        />
      </section>
    </div>
  );
}

function When({ at, by }: { at: string; by: string }) {
  return (
    <>
      <TimeAgo at={at} /> by {by}
    </>
  );
}
