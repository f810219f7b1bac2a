import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { connectionStringOf } from '../../infra/event-store/socket-address.ts';
import { widenFlowWindow } from '../../infra/event-store/wide-window.ts';

/** The log of a running product through the client alone: it takes whatever it is given. */
export const openRawLog = (dataDir: string): EventStoreDBClient => {
  const { eventStoreUrl } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  widenFlowWindow();
  return EventStoreDBClient.connectionString(connectionStringOf(eventStoreUrl));
};
