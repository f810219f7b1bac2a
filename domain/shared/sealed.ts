/** Text encrypted with AES-256-GCM under `SECRET_KEY`: `v1.<iv>.<tag>.<ciphertext>`, base64url. */
export type Sealed = string;
/** Text encrypted under the key of one person; unreadable once that key is gone. */
export type SealedPersonal = string;
