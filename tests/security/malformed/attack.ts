/** Where an attack is aimed: a path, and one that must not be asked for by what a body holds. */
export type Place = Readonly<{ path: string; smuggledPath: string }>;

export type Attack = Readonly<{
  name: string;
  /** Bytes, one character each, sent one after the other with a moment between. */
  parts: readonly string[];
  /** Ends its side of the connection after the last part. */
  endsHalf?: boolean;
  /**
   * `one answer at most`: what comes after the first request is body, or may not be understood.
   * `own answers`: there may be several, all of them to what this connection asked for.
   */
  verdict: 'one answer at most' | 'own answers';
}>;

/** A request that stands in the body of another one. */
export const smuggled = ({ smuggledPath }: Place): string =>
  `GET ${smuggledPath} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n`;
