import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type CallPlan, numberIn, planOf } from './numbered-call.ts';

/** One entry of the provider's own list: what it served, and what it reported. */
export type Served = {
  readonly plan: CallPlan;
  /** `whole`: all bytes left; `part`: some did, or the connection was closed before the end. */
  state: 'begun' | 'whole' | 'part' | 'refused';
  /** How often it received this request. */
  times: number;
};

export type ListingProvider = Readonly<{
  url: string;
  /** By the number of the call. */
  served: ReadonlyMap<number, Served>;
  close: () => Promise<void>;
}>;

const readBody = async (req: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

const usageOf = ({ tokens, answer }: CallPlan): object => {
  if (answer !== 'whole') return {};
  const { prompt, cached, output } = tokens;
  return {
    usage: {
      prompt_tokens: prompt,
      completion_tokens: output,
      total_tokens: prompt + output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  };
};

const textOf = ({ tokens }: CallPlan): string => 'ok '.repeat(tokens.output).trimEnd();

const base = ({ n, model }: CallPlan, kind: string): object => ({
  id: `chatcmpl-${n}`,
  object: kind,
  created: 1_700_000_000,
  model,
});

const sendWhole = async (res: ServerResponse, plan: CallPlan): Promise<void> => {
  await pause(plan.chunkDelayMs);
  const message = { role: 'assistant', content: textOf(plan) };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const answer = { ...base(plan, 'chat.completion'), choices, ...usageOf(plan) };
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

const sendStream = async (res: ServerResponse, plan: CallPlan): Promise<void> => {
  const start = base(plan, 'chat.completion.chunk');
  const send = (data: object): unknown => res.write(`data: ${JSON.stringify(data)}\n\n`);
  const text = textOf(plan);
  const size = Math.ceil(text.length / plan.chunks);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0; at < text.length; at += size) {
    if (plan.answer === 'broken' && at >= size * 2) {
      res.socket?.resetAndDestroy();
      return;
    }
    const delta = { content: text.slice(at, at + size) };
    send({ ...start, choices: [{ index: 0, delta, finish_reason: null }] });
    await pause(plan.chunkDelayMs);
  }
  send({ ...start, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  if (plan.answer === 'whole') send({ ...start, choices: [], ...usageOf(plan) });
  res.end('data: [DONE]\n\n');
};

const answer = async (res: ServerResponse, entry: Served): Promise<void> => {
  const { plan } = entry;
  res.on('close', () => {
    if (entry.state === 'begun') entry.state = res.writableFinished ? 'whole' : 'part';
  });
  if (plan.answer === 'refused') {
    entry.state = 'refused';
    await pause(plan.chunkDelayMs);
    const error = { message: 'refused on purpose', type: 'server_error', code: null };
    res.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return;
  }
  await (plan.isStream ? sendStream(res, plan) : sendWhole(res, plan));
};

/** A provider that handles each call by its number, and keeps a list. */
export const startListingProvider = async (): Promise<ListingProvider> => {
  const served = new Map<number, Served>();
  const take = (plan: CallPlan): Served => {
    const again = served.get(plan.n);
    if (again !== undefined) {
      again.times += 1;
      return again;
    }
    const entry: Served = { plan, state: 'begun', times: 1 };
    served.set(plan.n, entry);
    return entry;
  };
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const n = numberIn(await readBody(req));
    if (n === null) {
      res.writeHead(404).end();
      return;
    }
    await answer(res, take(planOf(n)));
  };
  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
