import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeProtobuf } from "../../compat/otlp/decode-protobuf.ts";
import type { SentSpan } from "../../src/domain/traces/telemetry.ts";

/** A receiver of OpenTelemetry's traces, in protobuf over HTTP. */
export type OtlpReceiver = {
  url: string;
  spans: SentSpan[];
  /** The paths and authorizations of requests. */
  requests: { path: string; authorization: string | undefined }[];
  stop: () => Promise<void>;
};

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: SentSpan[] = [];
  const requests: OtlpReceiver["requests"] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => void parts.push(part));
    request.on("end", () => {
      requests.push({ path: request.url ?? "", authorization: request.headers.authorization });
      for (const item of decodeProtobuf(Buffer.concat(parts)))
        if (item !== null && typeof item.sent !== "string") spans.push(item.sent);
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a TCP port has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, spans, requests },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
