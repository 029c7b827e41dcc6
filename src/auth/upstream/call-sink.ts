/** Where what precedes a server's answer goes. */
export type CallSink = {
  /** The answer is a stream of messages. */
  onStream: () => void;
  /** Passes a message on, once there is room for it. */
  pass: (text: string) => Promise<void>;
};
