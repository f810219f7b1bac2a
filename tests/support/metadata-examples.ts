import type { Metadata } from '../../domain/shared/event.ts';

export const aMetadata = (changes: Partial<Metadata> = {}): Metadata => ({
  actor: { kind: 'user', id: '1', ip: '192.0.2.7' },
  correlationId: 'req-1',
  causationId: 'req-1',
  commandId: '5b0c7a4e-0000-4000-8000-000000000001',
  occurredAt: '2026-03-01T08:00:00.000Z',
  ...changes,
});
