import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** User present; with attested credential data where a credential is made (WebAuthn, section 6.1). */
const present = 0x01;
const withCredential = 0x40;

type Asked = Readonly<{ challenge: string; origin: string; rpId: string }>;

/** A passkey in software, ES256 (WebAuthn level 3), that signs whatever a test makes it sign. */
export class SoftwarePasskey {
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);
  counter = 0;

  get id(): string {
    return text(this.#id);
  }

  #clientData(type: string, { challenge, origin }: Asked): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }

  /** CBOR written manually: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` (RFC 9053). */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** `RegistrationResponseJSON` */
  register(asked: Asked) {
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(this.#id.length);
    const authData = Buffer.concat([
      this.#authenticatorData(asked.rpId, present | withCredential),
      Buffer.alloc(16),
      idLength,
      this.#id,
      this.#coseKey(),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(authData.length);
    // {"fmt": "none", "attStmt": {}, "authData": …}
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59]),
      length,
      authData,
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: text(this.#clientData('webauthn.create', asked)),
        attestationObject: text(attestationObject),
        transports: ['internal'],
      },
    };
  }

  /** `AuthenticationResponseJSON` */
  assert(asked: Asked) {
    const authenticatorData = this.#authenticatorData(asked.rpId, present);
    const clientData = this.#clientData('webauthn.get', asked);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authenticatorData),
        signature: text(sign('sha256', signed, this.#key.privateKey)),
      },
    };
  }
}
