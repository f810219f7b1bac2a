import { formOf } from './form.ts';

export type OutageScale = Readonly<{
  /** Calls that relays take on. */
  requests: number;
  /** Kills of the product's own processes; each engine is killed once in addition. */
  processKills: number;
  clients: number;
  timeoutMs: number;
  /** How long the control plane is away. */
  outageMs: number;
}>;

const short: OutageScale = {
  requests: 1_500,
  processKills: 6,
  clients: 24,
  timeoutMs: 240_000,
  outageMs: 8_000,
};
const full: OutageScale = {
  requests: 10_000,
  processKills: 20,
  clients: 40,
  timeoutMs: 1_200_000,
  outageMs: 60_000,
};

export const outageScale = (): OutageScale => formOf({ short, full });
