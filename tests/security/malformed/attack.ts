/** Target of an attack: a path, and one that the content of a body must not request. */
export type Place = Readonly<{ path: string; smuggledPath: string }>;

export type Attack = Readonly<{
  name: string;
  /** Bytes, one character each, sent one after the other with a moment between. */
  parts: readonly string[];
  /** Ends its side of the connection after the last part. */
  endsHalf?: boolean;
  /**
   * `one answer at most`: what follows the first request is body, or may not be understood. `own
   * answers`: there may be several, all of them to requests of this connection.
   */
  verdict: 'one answer at most' | 'own answers';
}>;

/** A request inside the body of another one. */
export const smuggled = ({ smuggledPath }: Place): string =>
  `GET ${smuggledPath} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n`;
