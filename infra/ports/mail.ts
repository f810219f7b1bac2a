export type MailMessage = Readonly<{ to: string; subject: string; html: string }>;

export interface Mail {
  /** @throws when the server refuses or cannot be reached */
  send(message: MailMessage): Promise<void>;
}
