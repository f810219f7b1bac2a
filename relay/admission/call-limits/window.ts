/** How long a request or a token counts against a limit of a minute. */
export const windowMs = 60_000;
