import { Component, type ReactNode } from "react";

type Props = {
  children: ReactNode;
  /** The path: another may be shown again. */
  place: string;
};

type State = { hasFailed: boolean; place: string };

/** React catches what a view throws in classes only. */
export class ViewBoundary extends Component<Props, State> {
  override state = { hasFailed: false, place: this.props.place };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ place }: Props, state: State): State {
    return place === state.place ? state : { hasFailed: false, place };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="notice notice-bad note" role="alert">
        <div>
          <h1 className="notice-title">This view could not be shown.</h1>
          <p>The server may have been brought up to date meanwhile.</p>
        </div>
        <button type="button" className="button button-small" onClick={() => window.location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
