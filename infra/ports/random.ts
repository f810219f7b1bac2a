/** Source of ids and random numbers. */
export interface Random {
  /** UUID version 4. */
  uuid(): string;
  bytes(size: number): Uint8Array;
  /** From 0 to 1, 1 excluded; not for secrets. */
  fraction(): number;
}
