import { expect, test } from 'vitest';
import { eventTypes } from '../../console/features/audit/components/texts.ts';
import { eventCatalogue } from '../../domain/events.ts';

const filed = Object.entries(eventCatalogue)
  .filter(([, { auditSubject }]) => auditSubject !== null)
  .map(([type]) => type);

test('the audit screen has a text for each event type of the trail, and for no other', () => {
  expect([...eventTypes].sort()).toEqual(filed.sort());
});
