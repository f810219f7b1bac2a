import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '../ports/random.ts';

export const nodeRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (size) => randomBytes(size),
  fraction: () => Math.random(),
};
