import { hash } from 'node:crypto';
import type { Vault } from '../../infra/ports/vault.ts';

/** Fingerprint of the content of a command, which stays in the log for ever. */
export type Digest = (text: string) => string;

/** Keyed: names and prompts can be guessed, and a plain hash would confirm the guess. */
export const keyedDigest =
  ({ claimHash }: Vault): Digest =>
  (text) =>
    claimHash('command', text);

/** For commands whose data holds nothing about people. */
export const plainDigest: Digest = (text) => hash('sha256', text, 'base64url');
