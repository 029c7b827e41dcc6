import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a ceremony of a browser is made of. Tests that lie change a part. */
type Said = {
  /** As the server sent them. */
  options: object;
  origin?: string;
  /** Whether the authenticator has verified the person. */
  isVerified?: boolean;
  counter?: number;
  /** Whether a certificate vouches for the authenticator. */
  isCertified?: boolean;
};

/** An authenticator with one passkey, and the browser before it. */
export type TestAuthenticator = {
  credentialId: string;
  /** Makes the passkey. @returns RegistrationResponseJSON as text. */
  make: (said: Said) => string;
  /** Uses it. @returns AuthenticationResponseJSON as text. */
  use: (said: Said) => string;
};

/** Where test sites are, and their environment. */
export const SITE = "http://localhost:4000";
const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

/** @see https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data */
export function createAuthenticator(): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const coordinates = [x, y].map((part) => Buffer.from(part, "base64url"));
  const key = Buffer.concat([
    ...[Buffer.from("a5010203262001215820", "hex"), coordinates[0] ?? Buffer.of()],
    ...[Buffer.from("225820", "hex"), coordinates[1] ?? Buffer.of()],
  ]);
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
  const credentialId = id.toString("base64url");

  function answer(said: Said, { type, isNew }: { type: string; isNew: boolean }) {
    const { options, origin = SITE, isVerified = true, counter = 0 } = said;
    // The server's options have it in both ceremonies.
    const { challenge } = options as { challenge: string };
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (isNew ? ATTESTED : 0);
    const site = createHash("sha256").update("localhost").digest();
    const data = Buffer.concat([site, Buffer.of(flags), count, ...(isNew ? [attested] : [])]);
    return { clientData, data, clientDataJSON: clientData.toString("base64url") };
  }

  return {
    credentialId,
    make: (said) => {
      const { data, clientData, clientDataJSON } = answer(said, { type: "webauthn.create", isNew: true });
      const statement = said.isCertified === true ? certify(digest(data, clientData)) : UNCERTIFIED;
      const attestation = Buffer.concat([statement, Buffer.from("686175746844617461", "hex"), encode(data)]);
      return toText(credentialId, { clientDataJSON, attestationObject: attestation.toString("base64url") });
    },
    use: (said) => {
      const { data, clientData, clientDataJSON } = answer(said, { type: "webauthn.get", isNew: false });
      const signature = sign("sha256", digest(data, clientData), privateKey).toString("base64url");
      return toText(credentialId, {
        clientDataJSON,
        authenticatorData: data.toString("base64url"),
        signature,
      });
    },
  };
}

/** What an authenticator signs. */
function digest(data: Buffer, clientData: Buffer): Buffer {
  return Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
}

/** The start of an attestation object, in CBOR: `fmt` is none. */
const UNCERTIFIED = Buffer.from("a363666d74646e6f6e656761747453746d74a0", "hex");

/** The start of one with a certificate: `fmt` is packed. */
function certify(signed: Buffer): Buffer {
  const key = createPrivateKey({ key: Buffer.from(MAKER_KEY, "base64"), format: "der", type: "pkcs8" });
  return Buffer.concat([
    Buffer.from("a363666d74667061636b65646761747453746d74a363616c672663736967", "hex"),
    encode(sign("sha256", signed, key)),
    Buffer.from("6378356381", "hex"),
    encode(Buffer.from(MAKER, "base64")),
  ]);
}

/** Encodes bytes in CBOR. */
function encode(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([Buffer.of(0x59), length, bytes]);
}

/** The certificate of a maker of authenticators, and its key. */
const MAKER = [
  "MIIB8TCCAZigAwIBAgIUL6fTY5HhGASmb7jRcOoTj1Om/eQwCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCVVMxDTALBgNVBAoMBFRl",
  "c3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjYxMTI4MDAwNzA1WhgPMjEy",
  "NjExMDQwMDA3MDVaME8xCzAJBgNVBAYTAlVTMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0",
  "aW9uMQ0wCwYDVQQDDARUZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELCSd1GX6ggSA8CfNqpftrCbBFEO+1yrQr9RrQeaJ",
  "N48Duot+YDUnOScPLBiSjD3Q6ajstDmf88k2XUJLh8Q5baNQME4wHQYDVR0OBBYEFB+9p+IB/TxbFr37iSYQSMZHNHNyMB8GA1Ud",
  "IwQYMBaAFB+9p+IB/TxbFr37iSYQSMZHNHNyMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0EAwIDRwAwRAIgNkqTkQR98Y8/o70ry4Ly",
  "FY9UTp39iLciZ7lBV1GPoz4CIA3PlJL2emvS3+0WVoVvvVCjFk/8RLy4REgetIIFhUCM",
].join("");
const MAKER_KEY =
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnWixKDkHTsp8MZmYUJB7+6i7xRfNjFRDPpXx1ICBS3ihRANCAAQsJJ3UZfqCBIDwJ82ql+2sJsEUQ77XKtCv1GtB5ok3jwO6i35gNSc5Jw8sGJKMPdDpqOy0OZ/zyTZdQkuHxDlt";

function toText(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });
}
