import type { Bus } from '../../../infra/ports/bus.ts';

/** Two users of one bus; they may share a connection. */
export type Users = () => readonly [Bus, Bus];

/** How long, and how often (ms), a spec checks an eventual condition. */
export const patience = { timeout: 20_000, interval: 10 };
