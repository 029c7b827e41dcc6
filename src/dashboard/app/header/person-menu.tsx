import { useViewer } from "../../data/viewer.tsx";
import { toWords } from "../../ui/words.ts";
import { LookFields } from "./look-fields.tsx";

/** The user's menu: the look, settings and log-out. */
export function PersonMenu() {
  const { name, role } = useViewer();
  return (
    <>
      <button
        type="button"
        className="button button-small person"
        popoverTarget="person-menu"
        aria-label={`${name}, menu`}
      >
        <span className="person-name">{name}</span>
        <span className="person-initial" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
      </button>
      <div id="person-menu" popover="auto" className="popover">
        <p className="small soft popover-head">
          {name}, {toWords(role)}
        </p>
        <LookFields />
        <a href="/settings">Settings</a>
        <a href="/settings/security">Security</a>
        <a href="/api/v1/docs">API docs</a>
        <a href="/graphql/explorer">GraphQL explorer</a>
        <form method="post" action="/users/log-out">
          <button className="popover-button">Log out</button>
        </form>
      </div>
    </>
  );
}
