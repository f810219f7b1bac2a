import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalStore } from '../embedded/event-store/local-store.ts';
import { LogInUseError } from '../embedded/event-store/log/writer.ts';
import { type EmbeddedLog, openEmbeddedLog } from '../embedded/event-store/open-log.ts';
import { serveOnDemand } from '../embedded/event-store/serve-on-demand.ts';
import { decodeProductEvent } from '../event-store/decoder.ts';
import { socketPathOf } from '../event-store/socket-address.ts';
import { createUnreadableEvents } from '../event-store/unreadable-events.ts';
import { logModule, type OpenLog } from './log-module.ts';
import type { Runtime } from './runtime.ts';

type Place = Readonly<{ eventStoreUrl: string; logDatabaseUrl: string }>;
type Needs = Pick<Runtime, 'logger' | 'metrics'>;

/** PostgreSQL takes a moment to notice that the instance before this one is gone. */
const patienceMs = 10_000;
const pauseMs = 50;

const openPatiently = async ({ logger }: Needs, databaseUrl: string): Promise<EmbeddedLog> => {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await openEmbeddedLog({ databaseUrl, logger });
    } catch (error) {
      if (!(error instanceof LogInUseError) || performance.now() > end) throw error;
      await sleep(pauseMs);
    }
  }
};

/** The embedded log, opened by this process and served to tools of this machine. */
export const openOwnLog = async (needs: Needs, place: Place): Promise<OpenLog> => {
  const unreadable = createUnreadableEvents(needs);
  const { context, close } = await openPatiently(needs, place.logDatabaseUrl);
  const events = { decode: decodeProductEvent, unreadable };
  const stopServing = await serveOnDemand(context, socketPathOf(place.eventStoreUrl) ?? '');
  return {
    eventStore: {
      ...createLocalStore(context, events),
      close: async () => {
        await stopServing();
        await close();
      },
    },
    module: logModule(unreadable),
  };
};
