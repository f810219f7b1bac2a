export type WebhookCall = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON text, sent byte for byte: the signature is over it. */
  body: string;
}>;

/** A helper outside that makes the call instead, so that the address of this host stays unknown. */
export type WebhookWorker = Readonly<{ url: string; key: string }>;

/** Calls addresses that users chose: over TLS, on the open internet, and nowhere else. */
export interface Webhooks {
  /** @throws when the address is refused, does not answer in time, or answers with other than 2xx */
  post(call: WebhookCall, worker: WebhookWorker | null): Promise<void>;
}
