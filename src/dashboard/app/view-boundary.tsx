import { Component, type ReactNode } from "react";
import { liveStatus } from "../data/live/status.ts";

type Props = {
  children: ReactNode;
  /** The current path. A change resets the error. */
  place: string;
};

type State = { hasFailed: boolean; place: string };

/**
 * Catches rendering errors, which React supports only in classes. If a view couldn't be loaded while offline, the
 * page is reloaded when the network is back, because browsers may cache the failed import.
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
          <h1 className="notice-title">This view couldn’t be loaded.</h1>
          <p>
            The server can’t be reached or has been updated. If you are offline, the page reloads when the
            server is available again.
          </p>
        </div>
        <button type="button" className="button button-small" onClick={() => window.location.reload()}>
          Reload page
        </button>
      </div>
    );
  }
}
