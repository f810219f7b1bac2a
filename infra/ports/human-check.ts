/** Checks with the service whether a person solved the puzzle. @throws when it does not answer */
export type HumanCheck = (
  sent: Readonly<{ secret: string; response: string; ip: string }>,
) => Promise<boolean>;
