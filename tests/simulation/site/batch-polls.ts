import type { FindTasks } from '../../../domain/task/messages.ts';
import type { Bus, Stop } from '../../../infra/ports/bus.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import type { RelayCore } from '../../../relay/execution/relay-core.ts';
import type { Journal } from '../../../relay/settlement/journal.ts';
import { serveTaskPolls } from '../../../relay/tasks/serve-polls.ts';
import type { Download } from '../../../relay/upstream/download.ts';
import type { ProviderIo } from '../../../relay/upstream/types.ts';
import type { LogServer } from '../log/log-server.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { createRemoteCalls } from '../world/remote-calls.ts';
import { channel } from './channel.ts';
import type { Provider } from './provider.ts';
import { foundIn } from './task-lists.ts';

type Needs = Readonly<{
  machine: Machine;
  network: Network;
  provider: Provider;
  log: LogServer;
  bus: Bus;
  logger: Logger;
  journal: Journal;
}>;

const answerWithinMs = 6_000;

const channels = { table: () => ({ channel: () => channel }) };

const downloadOf = (status: number, text: string): Download => {
  const pieces = [Buffer.from(text)];
  const body = { [Symbol.asyncIterator]: () => pieces.values(), destroy: () => undefined };
  return { status, headers: {}, body: body as unknown as Download['body'] };
};

/** The product's own answers to polls of batches, with the provider in place of its HTTP. */
export const serveBatchPolls = (needs: Needs): Promise<Stop> => {
  const { machine, network, provider, log, bus, logger, journal } = needs;
  const server = provider.machine;
  const { call } = createRemoteCalls({ network, machine, server, attemptMs: answerWithinMs });
  const get = (url: string) => call(() => provider.get(new URL(url).pathname));
  const fetch: ProviderIo['fetch'] = async ({ url }) => {
    const { status, body } = await get(url);
    return { status, headers: {}, body: Buffer.from(body) };
  };
  const openDownload: RelayCore['openDownload'] = async ({ url }) => {
    const { status, body } = await get(url);
    return downloadOf(status, body);
  };
  const request = async (subject: string, asked: unknown, options: { timeoutMs: number }) =>
    subject === 'task.find'
      ? { tasks: foundIn(log, asked as FindTasks) }
      : bus.request(subject, asked, options);
  const core = {
    ...{ logger, journal, channels, openDownload },
    bus: { serve: bus.serve, request },
    timers: machine.timers,
    providerIo: () => ({ fetch }),
  };
  return serveTaskPolls(core as unknown as RelayCore);
};
