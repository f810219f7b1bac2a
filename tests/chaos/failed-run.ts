import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'nats';
import type { RequestCharged } from '../../domain/account/events.ts';
import { type Cluster, metricsOf } from '../support/cluster.ts';

const folder = '.cache/chaos';
const maxCopied = 64 * 1024 * 1024;

/** Streams of the bus and how far their consumers are. */
const streamsAt = async (url: string): Promise<unknown> => {
  const connection = await connect({ servers: url });
  try {
    const manager = await connection.jetstreamManager();
    const streams: unknown[] = [];
    for await (const { config, state } of manager.streams.list()) {
      const consumers: unknown[] = [];
      for await (const consumer of manager.consumers.list(config.name)) consumers.push(consumer);
      streams.push({ name: config.name, state, consumers });
    }
    return streams;
  } finally {
    await connection.close();
  }
};

const copyJournals = (from: string, to: string): void => {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const path = join(from, name);
    if (!statSync(path).isFile() || statSync(path).size > maxCopied) continue;
    copyFileSync(path, join(to, name.replaceAll('/', '_')));
  }
};

/** Every event of the log by an independent reader: its type, its place, and its request. */
const logOf = async (cluster: Cluster): Promise<string> => {
  const eventStore = cluster.openLog();
  const lines: string[] = [];
  try {
    for await (const { position, streamId, revision, event } of eventStore.readAll()) {
      const { call, requestId, usageNumber } = event.data as Partial<RequestCharged['data']> &
        Readonly<{ requestId?: string }>;
      const request = call?.requestId ?? requestId ?? '';
      lines.push(
        `${position} ${streamId} ${revision} ${event.type} ${request} ${JSON.stringify(usageNumber ?? null)}`,
      );
    }
  } finally {
    await eventStore.close();
  }
  return lines.join('\n');
};

/**
 * Keeps what the processes of a failed run can show before they are stopped: logs, metrics,
 * journals of the relays, the log and the streams of the bus. Prints where.
 */
export const keepFailedRun = async (cluster: Cluster, natsUrl: string): Promise<string> => {
  const own = join(folder, new Date().toISOString().replaceAll(':', '-'));
  mkdirSync(own, { recursive: true });
  const all = [...cluster.relays, ...cluster.commandApis, ...cluster.projections];
  for (const member of all) writeFileSync(join(own, `${member.name}.log`), member.log());
  const urls = [...cluster.relayUrls, ...cluster.commandApiUrls, ...cluster.projectionUrls];
  for (const [index, url] of urls.entries()) {
    const text = await metricsOf(url).catch((error: unknown) => String(error));
    writeFileSync(join(own, `${all[index]?.name}.metrics`), text);
  }
  for (const { name } of cluster.relays) {
    mkdirSync(join(own, name), { recursive: true });
    copyJournals(join(cluster.folder, name), join(own, name));
  }
  const log = await logOf(cluster).catch((error: unknown) => String(error));
  writeFileSync(join(own, 'log.txt'), log);
  const streams = await streamsAt(natsUrl).catch((error: unknown) => String(error));
  writeFileSync(join(own, 'streams.json'), JSON.stringify(streams, null, 2));
  return own;
};
