import type { RelayId } from '../shared/ids.ts';

export const relayStreamId = (id: RelayId): string => `relay-${id}`;
