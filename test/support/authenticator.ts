import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a ceremony of a browser is made of. Tests that lie change a part. */
type Said = {
  /** As the server sent them. */
  options: object;
  origin?: string;
  /** Whether the authenticator has verified the person. */
  isVerified?: boolean;
  counter?: number;
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
      const { data, clientDataJSON } = answer(said, { type: "webauthn.create", isNew: true });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(data.length);
      const head = Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex");
      const attestation = Buffer.concat([head, Buffer.of(0x59), length, data]);
      return toText(credentialId, { clientDataJSON, attestationObject: attestation.toString("base64url") });
    },
    use: (said) => {
      const { data, clientData, clientDataJSON } = answer(said, { type: "webauthn.get", isNew: false });
      const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
      const signature = sign("sha256", signed, privateKey).toString("base64url");
      return toText(credentialId, {
        clientDataJSON,
        authenticatorData: data.toString("base64url"),
        signature,
      });
    },
  };
}

function toText(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });
}
