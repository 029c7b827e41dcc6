import { Component, type ReactNode } from "react";
import { liveStatus } from "../data/live/status.ts";

type Props = {
  children: ReactNode;
  /** The path: another may be shown again. */
  place: string;
};

type State = { hasFailed: boolean; place: string };

/**
 * React catches what a view throws in classes only. A view that could not be loaded for want of a network is loaded
 * again when the network is back: by a new page, since browsers may keep the failure of a module.
 */
export class ViewBoundary extends Component<Props, State> {
  override state = { hasFailed: false, place: this.props.place };

  private wasCut = false;
  private endLooking = () => {};

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ place }: Props, state: State): State {
    return place === state.place ? state : { hasFailed: false, place };
  }

  override componentDidMount() {
    const endListening = liveStatus.subscribe(this.considerAgain);
    window.addEventListener("online", this.showAgain);
    this.endLooking = () => {
      endListening();
      window.removeEventListener("online", this.showAgain);
    };
  }

  override componentWillUnmount() {
    this.endLooking();
  }

  private considerAgain = () => {
    const { state } = liveStatus.get();
    if (state === "live" && this.wasCut) this.showAgain();
    this.wasCut = state === "reconnecting";
  };

  private showAgain = () => {
    if (this.state.hasFailed) window.location.reload();
  };

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="notice notice-bad note" role="alert">
        <div>
          <h1 className="notice-title">This view could not be shown.</h1>
          <p>
            The server can’t be reached, or was brought up to date meanwhile. After a cut it is shown when the
            server is back.
          </p>
        </div>
        <button type="button" className="button button-small" onClick={() => window.location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
