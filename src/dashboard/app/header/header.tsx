import { useViewer } from "../../data/viewer.tsx";
import { StopButton } from "../emergency-stop/stop-button.tsx";
import { openPalette } from "../palette/palette-state.ts";
import { LiveState } from "./live-state.tsx";
import { Logo } from "./logo.tsx";
import { PersonMenu } from "./person-menu.tsx";

/** The bar above every view. */
export function Header() {
  const { workspaceName } = useViewer();
  return (
    <header className="bar bar-sticky">
      <div className="bar-inner bar-wide">
        <Logo />
        <span className="bar-workspace">
          <span className="visually-hidden">Workspace: </span>
          {workspaceName}
        </span>
        <LiveState />
        <div className="bar-acts">
          <button type="button" className="button button-small bar-find" onClick={openPalette}>
            Find <kbd>Ctrl K</kbd>
          </button>
          <StopButton />
          <PersonMenu />
        </div>
      </div>
    </header>
  );
}
