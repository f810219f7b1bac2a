import type { Clock } from '../ports/clock.ts';

export const nodeClock: Clock = () => new Date();
