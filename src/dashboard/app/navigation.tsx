import { useRef } from "react";
import { Link, useLocation } from "wouter";
import { Icon } from "../ui/icon/icon.tsx";
import { VIEWS, findView } from "./views.ts";
import { FiringAlertCount, InboxCount, WaitingApprovalCount, WaitingToolCount } from "./waiting-count.tsx";

/** Links to the views, collapsed on narrow screens. */
export function Navigation() {
  const [path] = useLocation();
  const menu = useRef<HTMLDetailsElement>(null);
  const current = findView(path);
  return (
    <>
      <details className="menu" ref={menu}>
        <summary>
          <span>
            <span className="visually-hidden">Views: </span>
            {current?.label ?? "Views"} {current?.path !== "/inbox" && <InboxCount />}{" "}
            {current?.path !== "/alerts" && <FiringAlertCount />}
          </span>
        </summary>
        <Views current={current?.path} onGo={() => menu.current?.removeAttribute("open")} />
      </details>
      <Views current={current?.path} />
    </>
  );
}

function Views({ current, onGo }: { current: string | undefined; onGo?: () => void }) {
  return (
    <nav className="sections" aria-label="Views">
      <ul className="sections-list">
        {VIEWS.map(({ path, label, icon }) => (
          <li key={path}>
            <Link href={path} aria-current={path === current ? "page" : undefined} onClick={onGo}>
              <Icon name={icon} />
              {label} {path === "/inbox" && <InboxCount />}
              {path === "/approvals" && <WaitingApprovalCount />}
              {path === "/alerts" && <FiringAlertCount />}
              {path === "/mcp-servers" && <WaitingToolCount />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
