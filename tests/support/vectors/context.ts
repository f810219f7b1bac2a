import type { FamilySettings } from '../../../relay/feeds/family-settings.ts';
import type { UpstreamChannel } from '../../../relay/feeds/upstream-channel.ts';
import type {
  JsonObject,
  OpenAiCall,
  TranslatedOperation,
} from '../../../relay/protocol/canonical.ts';
import type { TranslationContext } from '../../../relay/providers/translate.ts';
import type { HttpReply, HttpRequest, ProviderIo } from '../../../relay/upstream/types.ts';
import type { ChannelExample, Exchange, VectorCase } from './types.ts';

export const familySettings: FamilySettings = {
  claude: {
    modelHeaders: {},
    defaultMaxTokens: { default: 8192 },
    thinkingAdapter: true,
    thinkingBudgetShare: 0.8,
  },
  gemini: {
    safetySettings: { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
    versionSettings: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
    imagineModels: ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp'],
    thinkingAdapter: false,
    thinkingBudgetShare: 0.6,
  },
  site: { address: 'https://gate.example.com', name: 'Gate' },
};

const settingsOf = ({ settings }: ChannelExample): FamilySettings => ({
  ...familySettings,
  gemini: {
    ...familySettings.gemini,
    thinkingAdapter: settings?.['gemini.thinking_adapter_enabled'] === true,
  },
});

const keyText = (key: unknown = 'sk-test'): string =>
  typeof key === 'string' ? key : JSON.stringify(key);

/** A channel as relays see it, made from the few fields that matter to a provider. */
export const aTranslatingChannel = (
  example: Partial<ChannelExample> & Readonly<{ type: number }>,
): UpstreamChannel & Readonly<{ createdAt?: string }> => ({
  channelId: 1,
  type: example.type,
  key: keyText(example.key),
  settings: {
    type: example.type,
    name: 'example',
    models: [],
    groups: ['default'],
    baseUrl: example.base_url ?? '',
    other: example.other ?? '',
    organization: example.openai_organization ?? '',
    testModel: '',
    tag: '',
    modelMapping: '',
    statusCodeMapping: '',
    setting: example.setting === undefined ? '' : JSON.stringify(example.setting),
    paramOverride: '',
    priority: 0,
    weight: 0,
    autoBan: true,
  },
  models: new Set(),
  groups: new Set(['default']),
  modelMapping: new Map(),
  statusMapping: new Map(),
  paramOverride: new Map(),
  headerOverrides: [],
  proxy: '',
  enabled: true,
  ...(example.created_time === undefined
    ? {}
    : { createdAt: new Date(example.created_time * 1_000).toISOString() }),
});

const operations: readonly (readonly [string, TranslatedOperation])[] = [
  ['/chat/completions', 'chat'],
  ['/completions', 'completions'],
  ['/embeddings', 'embeddings'],
  ['/images/generations', 'images'],
  ['/rerank', 'rerank'],
  ['/audio/speech', 'speech'],
  ['/audio/transcriptions', 'transcription'],
  ['/audio/translations', 'transcription'],
  ['/moderations', 'moderations'],
];

/** The bytes of a file that a recorded upload only names. */
export const uploadedBytes = Buffer.from('RIFF....WAVEfmt ');

const formOf = (parts: unknown): FormData | null => {
  if (typeof parts !== 'object' || parts === null) return null;
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (name === 'file') form.append(name, new Blob([uploadedBytes]), 'a.wav');
    else form.append(name, String(value));
  }
  return form;
};

export const aCall = (
  body: JsonObject,
  endpoint = '/v1/chat/completions',
  upstreamModel?: string,
): OpenAiCall => {
  const form = formOf(body._multipart);
  const model = String(form === null ? body.model : form.get('model'));
  const plain = endpoint.split('?')[0] ?? '';
  return {
    operation: operations.find(([end]) => plain.endsWith(end))?.[1] ?? 'chat',
    path: endpoint,
    requestedModel: model,
    upstreamModel: upstreamModel ?? model,
    body: form === null ? structuredClone(body) : {},
    isStream: body.stream === true,
    form,
  };
};

const replyOf = (response: unknown): HttpReply => {
  if (typeof response === 'object' && response !== null && 'base64' in response) {
    const type = 'content_type' in response ? String(response.content_type) : '';
    const body = Buffer.from(String(response.base64), 'base64');
    return { status: 200, headers: { 'content-type': type }, body };
  }
  const body = Buffer.from(JSON.stringify(response));
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
};

export type FakeIo = ProviderIo & Readonly<{ sent: HttpRequest[]; pauses: number[] }>;

export type FakeIoOptions = Readonly<{
  clock?: number;
  exchanges?: readonly Exchange[];
  /** What `cached` answers instead of making a value. */
  cachedValue?: string;
}>;

/** Answers recorded exchanges in order, counts ids and stands still in time. */
export const fakeIo = ({
  clock = 1_700_000_000,
  exchanges = [],
  cachedValue,
}: FakeIoOptions = {}): FakeIo => {
  const sent: HttpRequest[] = [];
  const pauses: number[] = [];
  const cache = new Map<string, string>();
  let ids = 0;
  return {
    sent,
    pauses,
    fetch: async (request) => {
      const exchange = exchanges[sent.length];
      sent.push(request);
      if (exchange === undefined) throw new Error(`unexpected call to ${request.url}`);
      return replyOf(exchange.response);
    },
    now: () => new Date(clock * 1_000),
    newId: () => `made${ids++}`,
    pause: async (ms) => {
      pauses.push(ms);
    },
    cached: async (key, make) => {
      if (cachedValue !== undefined) return cachedValue;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const { value } = await make();
      cache.set(key, value);
      return value;
    },
  };
};

export const contextOf = (
  example: VectorCase,
  key: string | undefined,
  io: ProviderIo,
): TranslationContext => ({
  call: aCall(example.openai_request, example.endpoint),
  channel: aTranslatingChannel(key === undefined ? example.channel : { ...example.channel, key }),
  settings: settingsOf(example.channel),
  io,
});
