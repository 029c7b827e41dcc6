/** A server whose mail provider accepts nothing, so that emails stay in the outbox, where a test can read them. */
export const UNSENT = {
  MAILGUN_API_KEY: "key",
  MAILGUN_DOMAIN: "example.com",
  MAILGUN_BASE_URL: "http://127.0.0.1:9",
};
