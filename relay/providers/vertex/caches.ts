import { isRegion } from '../../../domain/channel/settings.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import { type CacheAdapter, cacheOrder } from '../shared/gemini/caches.ts';
import { nativeGeminiModel } from '../shared/gemini/native-body.ts';
import { serviceAccountOf } from './account.ts';
import { publisherOf, regionOf } from './place.ts';
import { vertexProject } from './project.ts';

/*
 * Context caches of Vertex AI belong to a project and a region. They, and the models that they name,
 * go by their full resource names, in which Google writes the project by its number.
 */

const name = /^projects\/[\w.:-]+\/locations\/([a-z0-9-]+)\/cachedContents\/[\w-]{1,200}$/;
const maxName = 256;

export const vertexCaches: CacheAdapter = {
  serves: (upstreamModel) => publisherOf(upstreamModel) === 'gemini',
  all: async (context, requestedModel) => {
    const region = regionOf(context.channel, requestedModel);
    const { baseUrl, parent, headers } = await vertexProject(context, region);
    return { baseUrl, path: `/v1/${parent}/cachedContents`, headers };
  },
  // In the region where the cache is, whatever the channel names by now.
  one: async (context, upstreamName) => {
    const [, region = ''] = name.exec(upstreamName) ?? [];
    if (!isRegion(region)) return refuse(configurationError('The cache names no region'));
    const { baseUrl, headers } = await vertexProject(context, region);
    return { baseUrl, path: `/v1/${upstreamName}`, headers };
  },
  isName: (text) => text.length <= maxName && isRegion(name.exec(text)?.[1] ?? ''),
  order: (body, upstreamModel, terms) => {
    const { channel, options, requestedModel } = terms;
    const { projectId } = serviceAccountOf(channel.key);
    const parent = `projects/${projectId}/locations/${regionOf(channel, requestedModel)}`;
    const model = nativeGeminiModel(upstreamModel, options);
    return cacheOrder(body, `${parent}/publishers/google/models/${model}`, terms);
  },
};
