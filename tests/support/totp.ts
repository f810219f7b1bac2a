import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const periodMs = 30_000;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
};

/** The code of a time step by RFC 4226, section 5.3: written anew, not by the product's library. */
const totpCode = (secret: string, timeStep: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(timeStep));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest[19] ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
};

/**
 * The authenticator app of one person. Each code is of a later time step than the one before, as far
 * ahead as servers allow; then it waits.
 */
export class AuthenticatorApp {
  readonly #secret: string;
  #last = 0;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async nextCode(): Promise<string> {
    const now = (): number => Math.floor(Date.now() / periodMs);
    const step = Math.max(this.#last + 1, now() - 1);
    while (now() + 1 < step) await pause(200);
    this.#last = step;
    return totpCode(this.#secret, step);
  }

  /** The code that was given last. */
  lastCode(): string {
    return totpCode(this.#secret, this.#last);
  }

  /** A code of nothing that is near now. */
  wrongCode(): string {
    const now = Math.floor(Date.now() / periodMs);
    const near = new Set([-2, -1, 0, 1, 2].map((by) => totpCode(this.#secret, now + by)));
    for (let guess = 0; ; guess += 1) {
      const code = String(guess).padStart(6, '0');
      if (!near.has(code)) return code;
    }
  }
}
