import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";

/** How browsers reach authenticators. What else one says is not kept. */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

/** The site that passkeys belong to. */
export type Site = { id: string; origin: string };

/** A passkey that an authenticator has made. */
export type MadePasskey = {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
};

/** A passkey as stored. */
export type KnownPasskey = { credentialId: string; publicKey: Uint8Array; transports: string[] };

type Creation = { site: Site; challenge: string; user: { id: string; name: string; displayName: string } };

/** What a browser needs to make a passkey: one that can log in by itself, if the authenticator can. */
export async function createCreationOptions(
  { site, challenge, user }: Creation,
  known: readonly KnownPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpID: site.id,
    rpName: "Agent Ops",
    challenge: decode(challenge),
    userID: new TextEncoder().encode(user.id),
    userName: user.name,
    userDisplayName: user.displayName,
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    attestationType: "none",
  });
}

/** What a browser needs to use a passkey: one of these, or any of this site. */
export async function createRequestOptions(
  { site, challenge, isUserVerified }: { site: Site; challenge: string; isUserVerified: boolean },
  known: readonly KnownPasskey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: decode(challenge),
    allowCredentials: known.map(toDescriptor),
    userVerification: isUserVerified ? "required" : "preferred",
  });
}

/** Verifies what a browser says after making a passkey. Returns null if it can't be believed. */
export async function verifyCreation(
  response: unknown,
  { site, challenge }: { site: Site; challenge: string },
): Promise<MadePasskey | null> {
  const { verifyRegistrationResponse } = await load();
  // The library checks all that it reads.
  const said = response as RegistrationResponseJSON;
  return believe(async () => {
    if (!(await isWithoutCertificates(said))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: said,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: false,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    // The library does not look at these.
    if (id !== said.id) return null;
    const named: unknown = said.response.transports;
    const transports = TRANSPORTS.filter((transport) => Array.isArray(named) && named.includes(transport));
    return { credentialId: id, publicKey: new Uint8Array(publicKey), counter, transports };
  });
}

/**
 * Whether what vouches for the authenticator, which nobody asks for, names no certificates. The library would ask the
 * servers that they name whether they were revoked.
 */
async function isWithoutCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get("fmt");
  return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
}

type Assertion = { site: Site; challenge: string; isUserVerified: boolean; passkey: KnownPasskey };

/**
 * Verifies what a browser says after using a passkey.
 *
 * @returns the authenticator's count of signatures, which the caller compares; null if it can't be believed.
 */
export async function verifyAssertion(
  response: unknown,
  { site, challenge, isUserVerified, passkey }: Assertion,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  return believe(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // The library checks all that it reads.
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: isUserVerified,
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

/** The library throws for everything that is wrong. */
async function believe<Result>(verify: () => Promise<Result | null>): Promise<Result | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}

/** Loaded with the first passkey: most processes need none. */
async function load() {
  return import("@simplewebauthn/server");
}

function toDescriptor({ credentialId, transports }: KnownPasskey) {
  // The library passes on what authenticators have named themselves.
  return { id: credentialId, transports: transports as AuthenticatorTransport[] };
}

function decode(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, "base64url"));
}
