import type { TadaDocumentNode } from "gql.tada";
import { useEffect, useEffectEvent } from "react";
import { stringifyDocument } from "urql";
import { socket } from "./live/socket.ts";

const AGAIN_MS = 2000;

/** Follows another subscription on the page's socket, such as robot telemetry. Restarts after a reconnect. */
export function useStream<Data, Variables extends Record<string, unknown>>(
  subscription: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  onFrame: (data: Data) => void,
): void {
  const tell = useEffectEvent(onFrame);
  const asked = JSON.stringify(variables);
  useEffect(() => {
    let [end, timer, isOver] = [() => {}, 0, false];
    function follow(): void {
      end = socket.subscribe<Data>(
        // Parses what was serialised above.
        { query: stringifyDocument(subscription), variables: JSON.parse(asked) as Variables },
        {
          next: ({ data }) => {
            if (data !== undefined && data !== null) tell(data);
          },
          error: followLater,
          complete: followLater,
        },
      );
    }
    function followLater(): void {
      if (!isOver) timer = window.setTimeout(follow, AGAIN_MS);
    }
    follow();
    return () => {
      isOver = true;
      clearTimeout(timer);
      end();
    };
  }, [subscription, asked]);
}
