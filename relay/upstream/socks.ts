import { once } from 'node:events';
import { isIPv4, type Socket } from 'node:net';

/** Where a tunnel ends. */
export type Target = Readonly<{ host: string; port: number }>;

const version = 5;
const plainMethod = 0;
const passwordMethod = 2;
const nameFor: Readonly<Record<number, string>> = {
  1: 'a general failure',
  2: 'not allowed',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
};

/** A talk in which every reply has a known length, in however many pieces it comes. */
class Talk {
  private readonly socket: Socket;
  private readonly signal: AbortSignal;
  private held = Buffer.alloc(0);

  constructor(socket: Socket, signal: AbortSignal) {
    this.socket = socket;
    this.signal = signal;
    socket.on('data', this.onData);
    socket.once('end', this.onEnd);
  }

  async ask(bytes: readonly number[], replyLength: number): Promise<Buffer> {
    if (bytes.length > 0) this.socket.write(Buffer.from(bytes));
    while (this.held.length < replyLength) {
      await once(this.socket, 'data', { signal: this.signal });
    }
    const reply = this.held.subarray(0, replyLength);
    this.held = this.held.subarray(replyLength);
    return reply;
  }

  /** Whatever comes from now on is the target's, which waits until it is spoken to. */
  end(): void {
    if (this.held.length > 0) throw new Error('the proxy spoke out of turn');
    this.socket.off('data', this.onData);
    this.socket.off('end', this.onEnd);
  }

  private readonly onData = (chunk: Buffer): void => {
    this.held = Buffer.concat([this.held, chunk]);
  };

  private readonly onEnd = (): void => {
    this.socket.destroy(new Error('the proxy hung up'));
  };
}

const sized = (text: string): readonly number[] => {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name is too long for the proxy');
  return [bytes.length, ...bytes];
};

/** Names are the proxy's to resolve. */
const addressOf = (host: string): readonly number[] =>
  isIPv4(host) ? [1, ...host.split('.').map(Number)] : [3, ...sized(host)];

const signIn = async (talk: Talk, { username, password }: URL): Promise<void> => {
  const methods = username === '' ? [plainMethod] : [plainMethod, passwordMethod];
  const chosen = (await talk.ask([version, methods.length, ...methods], 2)).readUInt8(1);
  if (chosen === plainMethod) return;
  if (chosen !== passwordMethod || username === '') throw new Error('the proxy wants a password');
  const names = [...sized(decodeURIComponent(username)), ...sized(decodeURIComponent(password))];
  const answer = await talk.ask([1, ...names], 2);
  if (answer.readUInt8(1) !== 0) throw new Error('the proxy refused the password');
};

/** The address in a reply is of no use here, but has to be read; a port follows it. */
const restLength = async (talk: Talk, kind: number): Promise<number> => {
  if (kind === 3) return (await talk.ask([], 1)).readUInt8(0) + 2;
  return (kind === 1 ? 4 : 16) + 2;
};

/**
 * Asks a SOCKS5 proxy for a way to the target (RFC 1928, passwords by RFC 1929).
 * @throws when it says no, hangs up or takes too long
 */
export const askSocks = async (
  { socket, signal }: Readonly<{ socket: Socket; signal: AbortSignal }>,
  proxy: URL,
  { host, port }: Target,
): Promise<void> => {
  const talk = new Talk(socket, signal);
  await signIn(talk, proxy);
  const head = await talk.ask([version, 1, 0, ...addressOf(host), port >> 8, port & 255], 4);
  const outcome = head.readUInt8(1);
  if (outcome !== 0) throw new Error(`the proxy says: ${nameFor[outcome] ?? outcome}`);
  await talk.ask([], await restLength(talk, head.readUInt8(3)));
  talk.end();
};
