import type { Attributes } from '@opentelemetry/api';
import { catalogue } from '../../domain/channel/catalogue.ts';
import type { TracedAttempt } from '../ports/tracing.ts';

/*
 * Names of the semantic conventions for generative AI,
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */

/** Well-known names of `gen_ai.provider.name`; others go by the name that they have here. */
const wellKnown: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
};

const names = new Map<number, string>(
  Object.entries(catalogue).map(([slug, { id }]) => [id, wellKnown[slug] ?? slug]),
);

export const providerName = (channelType: number): string => names.get(channelType) ?? '_OTHER';

const operationOf = ({ operation, protocol }: TracedAttempt): string => {
  switch (operation) {
    case 'chat':
      return protocol === 'gemini' ? 'generate_content' : 'chat';
    case 'responses':
      return 'chat';
    case 'completions':
      return 'text_completion';
    default:
      return operation;
  }
};

const portOf = ({ port, protocol }: URL): number => {
  if (port !== '') return Number(port);
  return protocol === 'http:' || protocol === 'ws:' ? 80 : 443;
};

const serverOf = (origin: string): Attributes => {
  if (!URL.canParse(origin)) return {};
  const url = new URL(origin);
  return { 'server.address': url.hostname, 'server.port': portOf(url) };
};

/** Name and attributes of the span of an attempt. */
export const attemptSpan = (
  attempt: TracedAttempt,
): Readonly<{ name: string; attributes: Attributes }> => {
  const operation = operationOf(attempt);
  return {
    name: `${operation} ${attempt.model}`,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerName(attempt.channelType),
      'gen_ai.request.model': attempt.model,
      ...serverOf(attempt.origin),
      'tollgate.channel.id': attempt.channelId,
    },
  };
};

/** Where an answer names its model; inside a text its quotes would be escaped. */
const modelMember = /"model(?:Version)?"\s*:\s*"([^"\\]{1,256})"/;
/** Answers name it at their beginning. */
const searchedBytes = 8_192;

/** The model that an answer names. */
export const modelIn = (chunk: Uint8Array): string | null => {
  const head = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, searchedBytes));
  return modelMember.exec(head.toString('latin1'))?.[1] ?? null;
};
