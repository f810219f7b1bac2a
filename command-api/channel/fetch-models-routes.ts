import { z } from 'zod';
import { baseUrlOf } from '../../domain/channel/catalogue.ts';
import { reject } from '../../domain/shared/decider.ts';
import { fetchModelsBody } from '../contract/channel.ts';
import { idInPath } from '../contract/fields.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import type { createChannelDirectory } from './directory.ts';

type Directory = ReturnType<typeof createChannelDirectory>;
type Source = Readonly<{ type: number; baseUrl: string; key: string }>;

const timeoutMs = 15_000;
const longestListBytes = 4 * 1024 * 1024;
const geminiType = 24;
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

const addressOf = ({ type, baseUrl }: Source): string => {
  const base = baseUrlOf(type, baseUrl.replace(/\/+$/, ''));
  return type === geminiType ? `${base}/v1beta/openai/models` : `${base}/v1/models`;
};

/** null: the provider did not answer with a list of models. */
const fetchModels = async (source: Source): Promise<readonly string[] | null> => {
  try {
    const response = await fetch(addressOf(source), {
      headers: { authorization: `Bearer ${source.key}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok || text.length > longestListBytes) return null;
    const { data } = modelList.parse(JSON.parse(text));
    return data.map(({ id }) => (source.type === geminiType ? id.replace(/^models\//, '') : id));
  } catch {
    // Unreachable, too slow or not a list: the operator needs to know no more than that.
    return null;
  }
};

export const createFetchModelsRoutes = ({ vault }: Services, directory: Directory): Routes => {
  const answer = async (source: Source): Promise<Answer> => {
    const models = await fetchModels(source);
    return models === null ? reject('channel.models-not-fetched') : ok(models);
  };

  return {
    'GET /api/channel/fetch_models/:id': async (call: Call): Promise<Answer> => {
      const channel = await directory.find(call.params(idInPath).id);
      if (!channel) return reject('channel.unknown');
      const { type, baseUrl } = channel.settings;
      return answer({ type, baseUrl, key: vault.unseal(channel.sealedKey) });
    },
    'POST /api/channel/fetch_models': async (call: Call): Promise<Answer> => {
      const { base_url, type, key } = call.body(fetchModelsBody);
      const [first = ''] = key.split('\n');
      return answer({ type, baseUrl: base_url ?? '', key: first.trim() });
    },
  };
};
