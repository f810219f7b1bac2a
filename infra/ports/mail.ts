export type MailMessage = Readonly<{ to: string; subject: string; html: string }>;

/** Outgoing mail server. Passed with each message, so that a changed setting counts at once. */
export type MailServer = Readonly<{
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  tls: boolean;
  /** "" sends without signing in. */
  account: string;
  password: string;
  from: string;
  senderName: string;
}>;

export interface Mail {
  /** @throws when the server refuses or cannot be reached */
  send(message: MailMessage, server: MailServer): Promise<void>;
}
