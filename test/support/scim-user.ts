import { URN } from "./scim-world.ts";

/** Everything that a client can write of a user. */
export const WHOLE = {
  externalId: "701984",
  name: {
    formatted: "Ms. Barbara J Jensen III",
    familyName: "Jensen",
    givenName: "Barbara",
    middleName: "Jane",
    honorificPrefix: "Ms.",
    honorificSuffix: "III",
  },
  displayName: "Babs Jensen",
  nickName: "Babs",
  profileUrl: "https://login.example.com/bjensen",
  title: "Tour Guide",
  userType: "Employee",
  preferredLanguage: "en-US",
  locale: "en-US",
  timezone: "America/Los_Angeles",
  active: true,
  emails: [
    { value: "bjensen@example.com", type: "work", primary: true, display: "B. Jensen" },
    { value: "babs@jensen.org", type: "home" },
  ],
  phoneNumbers: [
    { value: "55555555555", type: "work" },
    { value: "tel:+1-201-555-0123", type: "mobile" },
  ],
  ims: [{ value: "someaimhandle", type: "aim" }],
  photos: [{ value: "https://photos.example.com/1.jpg", type: "photo" }],
  addresses: [
    {
      type: "work",
      streetAddress: "100 Universal City Plaza",
      locality: "Hollywood",
      region: "CA",
      postalCode: "91608",
      country: "US",
      formatted: "100 Universal\nHollywood",
      primary: true,
    },
  ],
  entitlements: [{ value: "e1" }],
  roles: [{ value: "owner", display: "Owner", type: "app", primary: true }],
  x509Certificates: [{ value: "TUlJQw==" }],
  [URN.enterprise]: {
    employeeNumber: "701984",
    costCenter: "4130",
    organization: "Universal Studios",
    division: "Theme Park",
    department: "Tour Operations",
    manager: { value: "26118915-6090-4610-87e4-49d8ca9f808d" },
  },
};

/** The parts of a read user that a client wrote: without id and meta. */
export function withoutServerFields(body: Record<string, unknown>): Record<string, unknown> {
  const { id: _id, meta: _meta, ...rest } = body;
  return rest;
}
