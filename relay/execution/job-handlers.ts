import type { MessagePort } from 'node:worker_threads';
import { type Examined, readBody } from '../admission/examine-body.ts';
import { wordInBody } from '../admission/sensitive-words.ts';
import { encodeAnswer, readAnswer } from '../delivery/read-answer.ts';
import { createWordMatcher } from '../feeds/word-matcher.ts';
import { remoteIo } from '../offload/remote-io.ts';
import { asBuffer, shared } from '../offload/shared-bytes.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { isApiError } from '../protocol/api-error.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import { problemOf } from '../protocol/normalise.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { countPromptTokens, countTokens } from '../settlement/count-tokens.ts';
import type { ProviderIo } from '../upstream/types.ts';
import { prepare } from './prepare.ts';
import type { RelayJobs } from './relay-core.ts';
import { thinCall } from './thin-call.ts';

type Handlers = {
  [K in keyof RelayJobs]: (
    input: RelayJobs[K]['input'],
    port: MessagePort | null,
  ) => Promise<RelayJobs[K]['output']>;
};

const noIo = (): never => {
  throw new Error('this job has no way outside');
};
const ioFor = (port: MessagePort | null, startedAtMs: number): ProviderIo =>
  port === null ? noIo() : remoteIo(port, startedAtMs);

/** Ends with its job: a port that stays open keeps both threads waiting. */
const withIo = async <T>(
  port: MessagePort | null,
  startedAtMs: number,
  work: (io: ProviderIo) => Promise<T>,
): Promise<T> => {
  try {
    return await work(ioFor(port, startedAtMs));
  } finally {
    port?.close();
  }
};

const wordOf = (body: Buffer, list: readonly string[]): string | null => {
  const words = createWordMatcher(list);
  return words === null ? null : wordInBody(words, body);
};

const examine = async (
  raw: Buffer,
  words: readonly string[],
  protocol: Protocol,
): Promise<Examined | ApiError> => {
  const found = readBody(raw, protocol);
  if (isApiError(found)) return found;
  const members = scanMembers(found.body);
  if (members === null) return problemOf(found.body);
  return {
    scan: found.scan,
    members: [...members],
    body: found.body === raw ? null : await shared(found.body),
    word: wordOf(found.body, words),
  };
};

/** The jobs of worker threads. */
export const handlers: Handlers = {
  'count-text': ({ text, model }) => countTokens(text, model),
  'count-prompt': ({ body, model }) => countPromptTokens(asBuffer(body), model),
  examine: ({ body, words, protocol }) => examine(asBuffer(body), words, protocol),
  prepare: ({ call, terms, startedAtMs }, port) =>
    withIo(port, startedAtMs, async (io) => {
      const body = asBuffer(call.body);
      const prepared = await prepare({ ...call, body }, terms, io);
      if (isApiError(prepared)) return prepared;
      const request = { ...prepared.request, body: await shared(prepared.request.body) };
      return prepared.kind === 'translated'
        ? { ...prepared, request, call: thinCall(prepared.call) }
        : { ...prepared, request };
    }),
  'read-answer': (input, port) =>
    withIo(port, input.startedAtMs, async (io) => {
      const reply = { ...input.reply, body: asBuffer(input.reply.body) };
      return readAnswer({ ...input, reply }, io);
    }),
  'encode-answer': (input) => encodeAnswer({ ...input, bytes: asBuffer(input.bytes) }),
};
